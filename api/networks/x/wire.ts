/** X's response shapes. */
import { z } from 'zod'

export const keys = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).optional(),
  expires_in: z.number().positive(),
})
export const keyProblem = z.object({ error: z.string() })
export const me = z.object({ data: z.object({ id: z.string().min(1), name: z.string() }) })
export const created = z.object({ data: z.object({ id: z.string().min(1) }) })
export const anything = z.unknown()

const processing = z.object({
  state: z.enum(['pending', 'in_progress', 'succeeded', 'failed']),
  check_after_secs: z.number().optional(),
})
export const upload = z.object({ data: z.object({ id: z.string().min(1) }) })
export const uploadState = z.object({ data: z.object({ processing_info: processing.optional() }) })
export type UploadState = z.output<typeof uploadState>

const link = z.object({ url: z.string(), expanded_url: z.string().optional(), media_key: z.string().optional() })
export const tweet = z.object({
  id: z.string(),
  text: z.string(),
  created_at: z.string(),
  entities: z.object({ urls: z.array(link).optional() }).optional(),
})
export const timeline = z.object({
  data: z.array(tweet).optional(),
  meta: z.object({ next_token: z.string().optional() }).optional(),
})

/** For a deleted post X returns a success without data. */
export const figures = z.object({
  data: z
    .object({
      public_metrics: z.object({
        retweet_count: z.int(),
        reply_count: z.int(),
        like_count: z.int(),
        quote_count: z.int(),
        impression_count: z.int().optional(),
      }),
    })
    .optional(),
})

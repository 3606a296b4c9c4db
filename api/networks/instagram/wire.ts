/** Instagram's response shapes; lists, created ids and insights are Graph's. */
import { z } from 'zod'

const shortKey = z.object({ access_token: z.string().min(1) })
/** Newer apps get the token in a list, older ones without. */
export const shortKeys = z.union([
  shortKey,
  z.object({ data: z.tuple([shortKey]) }).transform(({ data: [key] }) => key),
])
export const longKeys = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() })
export const me = z.object({ user_id: z.coerce.string().min(1), username: z.string() })
export const status = z.object({
  status_code: z.enum(['IN_PROGRESS', 'FINISHED', 'PUBLISHED', 'ERROR', 'EXPIRED']),
  status: z.string().optional(),
})
export const permalink = z.object({ permalink: z.string() })
export const media = z.object({
  id: z.string(),
  caption: z.string().optional(),
  permalink: z.string().optional(),
  timestamp: z.string(),
})
export const publishingLimit = z.object({
  data: z.array(
    z.object({ quota_usage: z.int(), config: z.object({ quota_total: z.int(), quota_duration: z.number() }) }),
  ),
})

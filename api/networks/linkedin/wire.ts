/** LinkedIn's response shapes. */
import { z } from 'zod'

export const keys = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().positive(),
  /** Only for approved partners. */
  refresh_token: z.string().min(1).optional(),
  refresh_token_expires_in: z.number().positive().optional(),
})
export const keyProblem = z.object({ error: z.string() })

/** OpenID Connect's response. */
export const userinfo = z.object({ sub: z.string().min(1), name: z.string() })
/** The fields that `r_basicprofile` allows. */
export const basicProfile = z.object({
  id: z.string().min(1),
  localizedFirstName: z.string().default(''),
  localizedLastName: z.string().default(''),
})
export const acls = z.object({ elements: z.array(z.object({ organization: z.string() })) })
export const organisation = z.object({ localizedName: z.string() })

export const upload = z.object({ value: z.object({ uploadUrl: z.string(), image: z.string().min(1) }) })
export const image = z.object({ status: z.enum(['WAITING_UPLOAD', 'PROCESSING', 'AVAILABLE', 'PROCESSING_FAILED']) })
export const posts = z.object({
  elements: z.array(
    z.object({
      id: z.string(),
      commentary: z.string().default(''),
      createdAt: z.number(),
      lastModifiedAt: z.number().optional(),
    }),
  ),
  paging: z.object({ links: z.array(z.object({ rel: z.string() })).optional() }).optional(),
})
export const shareStatistics = z.object({
  elements: z.array(
    z.object({
      totalShareStatistics: z.object({
        impressionCount: z.int().optional(),
        likeCount: z.int().optional(),
        commentCount: z.int().optional(),
        shareCount: z.int().optional(),
      }),
    }),
  ),
})
export const memberCount = z.object({ elements: z.array(z.object({ count: z.int() })) })
export const anything = z.unknown()

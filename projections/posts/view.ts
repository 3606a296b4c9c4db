import { z } from 'zod'
import { platformSchema } from '../../domain/core/values.ts'
import { deliverySchema, holdReasons, postStatusSchema } from '../../domain/post/commands.ts'

export const postView = z.object({
  id: z.string(),
  agencyId: z.string(),
  clientId: z.string(),
  socialAccountId: z.string(),
  platform: platformSchema,
  content: z.string(),
  imageUrl: z.string().nullable(),
  status: postStatusSchema,
  delivery: deliverySchema,
  /** What is known of the last attempt, for a person: why it was rejected, failed or is unknown. */
  deliveryNote: z.string().nullable(),
  heldBecause: z.enum(holdReasons).nullable(),
  retryAt: z.string().nullable(),
  rejectionReason: z.string().nullable(),
  scheduledFor: z.string().nullable(),
  publishedAt: z.string().nullable(),
  /** Where the published post can be seen. */
  url: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** The post's last revision that this shows; the value of its ETag. */
  revision: z.int(),
})
export type PostView = z.infer<typeof postView>

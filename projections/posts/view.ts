import { z } from 'zod'
import { platformSchema, storedImageSchema } from '../../domain/core/values.ts'
import { deliverySchema, holdReasons, planSchema, postStatusSchema, remedies } from '../../domain/post/commands.ts'

export const postView = z.object({
  id: z.string(),
  agencyId: z.string(),
  clientId: z.string(),
  socialAccountId: z.string(),
  platform: platformSchema,
  content: z.string(),
  imageUrl: z.string().nullable(),
  /** What is stored of the image: null before the post was first sent on its way. */
  image: storedImageSchema.nullable(),
  status: postStatusSchema,
  delivery: deliverySchema,
  /** What is known of the last attempt, for a person: why it was rejected, failed or is unknown. */
  deliveryNote: z.string().nullable(),
  /** What helps, where the network turned it down. */
  remedy: z.enum(remedies).nullable(),
  heldBecause: z.enum(holdReasons).nullable(),
  retryAt: z.string().nullable(),
  rejectionReason: z.string().nullable(),
  scheduledFor: z.string().nullable(),
  publishedAt: z.string().nullable(),
  /** Where the published post can be seen. */
  url: z.string().nullable(),
  /** The slot of a posting schedule that it was written for. */
  plan: planSchema.nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** The post's last revision that this shows; the value of its ETag. */
  revision: z.int(),
})
export type PostView = z.infer<typeof postView>

/** The beginning of a text, in the fields that `excerptOf` makes. */
export const excerptFields = {
  /** At most 400 characters (UTF-16 units), ending at a word where there is one; a text that goes on ends in an ellipsis. */
  excerpt: z.string(),
  /** Whether the text goes on behind the excerpt. */
  truncated: z.boolean(),
}

/** A post as a list shows it. */
export const postCardView = postView.omit({ content: true }).extend(excerptFields)
export type PostCardView = z.infer<typeof postCardView>

/** Reviews several posts in one request. */
import { z } from 'zod'
import { idSchema } from '../../domain/core/values.ts'
import { rejectReasonSchema } from '../../domain/post/commands.ts'
import { postCard } from './post-schemas.ts'
import { route } from './route.ts'

export const maxReviewedAtOnce = 100

const judged = z.object({
  id: z.string(),
  done: z.boolean(),
  /** The reason for a refusal; null on success. */
  sentence: z.string().nullable(),
  /** The post's current state, with the beginning of its text; null for an unknown post. */
  post: postCard.nullable(),
})

export const reviewRoutes = {
  reviewPosts: route({
    method: 'POST',
    path: '/api/posts/bulk',
    access: 'agency',
    needs: 'manager',
    client: 'loaded',
    summary:
      'Approve or reject several posts, each with its own result; with `dryRun`, only says what would be refused',
    body: z.object({
      ids: z
        .array(idSchema)
        .min(1, 'Choose at least one post')
        .max(maxReviewedAtOnce, `Choose at most ${maxReviewedAtOnce} posts`),
      status: z.enum(['approved', 'rejected']),
      reason: rejectReasonSchema,
      /** Changes nothing: tells which posts could not be approved, and why. */
      dryRun: z.literal(true).optional(),
      /** The revisions that were read, by id. A post that has changed since is refused. */
      revisions: z
        .record(idSchema, z.int())
        .refine(
          (revisions) => Object.keys(revisions).length <= maxReviewedAtOnce,
          `At most ${maxReviewedAtOnce} revisions`,
        )
        .default({}),
    }),
    reply: z.object({ results: z.array(judged) }),
    status: 200,
  }),
}

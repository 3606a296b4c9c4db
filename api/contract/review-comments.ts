/** The comments that a client's people read and write through a review link: those for the client alone. */
import { z } from 'zod'
import { commentTextSchema } from '../../domain/discussion/commands.ts'
import { idSchema } from '../../domain/core/values.ts'
import { cursorSchema } from './post-schemas.ts'
import { closed, linkAsked } from './review-links.ts'
import { route } from './route.ts'

/** Without the ids of people, and without what comments of members are about: that may be a text of the team. */
const reviewCommentReply = z.object({
  id: z.string(),
  parentId: z.string().nullable(),
  author: z.object({
    kind: z.enum(['member', 'reviewer']),
    /** Today's name; "Former member" or "Former reviewer" once the person is erased. */
    name: z.string(),
  }),
  /** The person who asks wrote it. */
  isYours: z.boolean(),
  at: z.string(),
  /** It was edited later than 15 minutes after it was written. */
  edited: z.boolean(),
  /** `erased`: its words are gone with their author. */
  state: z.enum(['shown', 'removed', 'erased']),
  /** Null unless it is shown. */
  text: z.string().nullable(),
})
export type ReviewComment = z.infer<typeof reviewCommentReply>

/** A comment of 5,000 characters, each escaped in JSON as two code units. */
const maxCommentBodyBytes = 64 * 1024
const notHere = 'The link is unknown (`link-unknown`), or shows no such post'

export const reviewCommentRoutes = {
  listReviewComments: route({
    method: 'POST',
    path: '/api/reviews/comments',
    access: 'public',
    summary: 'The comments for the client on a post of a review link, the first one first. Changes nothing',
    body: z.object({ ...linkAsked, postId: idSchema, cursor: cursorSchema.optional() }),
    reply: z.object({
      /** In the order in which they were posted. */
      comments: z.array(reviewCommentReply),
      /** For `cursor`; null on the last page. */
      next: z.string().nullable(),
    }),
    status: 200,
    errors: { 403: closed, 404: notHere },
  }),
  commentAsReviewer: route({
    method: 'POST',
    path: '/api/reviews/comment',
    access: 'public',
    summary: 'Write a comment to the agency on a post of a review link, or reply to one',
    body: z.object({
      ...linkAsked,
      postId: idSchema,
      /** The caller's own UUID: the same comment sent twice is one. */
      commentId: idSchema,
      parentId: idSchema.nullish().transform((id) => id ?? null),
      text: commentTextSchema,
    }),
    maxBodyBytes: maxCommentBodyBytes,
    reply: reviewCommentReply,
    status: 201,
    errors: { 403: closed, 404: notHere, 409: 'The post has 500 comments, or the id is of another one' },
  }),
}

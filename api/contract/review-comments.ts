/** The comments that a client's people read and write through a review link: those for the client alone. */
import { z } from 'zod'
import { commentTextSchema, storedAnchorSchema } from '../../domain/discussion/commands.ts'
import { idSchema } from '../../domain/core/values.ts'
import { sentAnchor, sentSuggestion, suggestionReply } from './comments.ts'
import { cursorSchema } from './post-schemas.ts'
import { closed, linkAsked } from './review-links.ts'
import { maxTextBodyBytes, route } from './route.ts'

/** Without the ids of people, and without texts that were not submitted. */
const reviewCommentReply = z.object({
  id: z.string(),
  parentId: z.string().nullable(),
  author: z.object({
    kind: z.enum(['member', 'reviewer']),
    /** Today's name; "Former member" or "Former reviewer" once the person is erased. */
    name: z.string(),
  }),
  /** The person who asks wrote it, and may edit and remove it. */
  isYours: z.boolean(),
  at: z.string(),
  /** It was edited later than 15 minutes after it was written. */
  edited: z.boolean(),
  /** `erased`: its words are gone with their author. */
  state: z.enum(['shown', 'removed', 'erased']),
  /** Null unless it is shown; empty where a suggestion has no words beside it. */
  text: z.string().nullable(),
  /** Null also where it is about a text or an image that was never submitted. */
  anchor: storedAnchorSchema.nullable(),
  /** The words of the post that it is about, from the version that it is about; null without a range. */
  quote: z.string().nullable(),
  /** What it is about is no longer what the post has. */
  isEarlierVersion: z.boolean(),
  /** Of reviewers alone: a member's may be for a text that was not submitted. */
  suggestion: suggestionReply.nullable(),
})
export type ReviewComment = z.infer<typeof reviewCommentReply>

/** A comment of 5,000 characters, each escaped in JSON as two code units. */
const maxEditBodyBytes = 64 * 1024
const notHere = 'The link is unknown (`link-unknown`), or shows no such post'
const ofComment = {
  ...linkAsked,
  postId: idSchema,
  commentId: idSchema,
}

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
    summary:
      'Write a comment to the agency on a post of a review link, a range of its text or a point of its image; suggest another text; or reply',
    body: z.object({
      ...linkAsked,
      postId: idSchema,
      /** The caller's own UUID: the same comment sent twice is one. */
      commentId: idSchema,
      parentId: idSchema.nullish().transform((id) => id ?? null),
      /** Required without a suggestion. */
      text: commentTextSchema.optional(),
      anchor: sentAnchor,
      suggestion: sentSuggestion,
    }),
    maxBodyBytes: maxTextBodyBytes,
    reply: reviewCommentReply,
    status: 201,
    errors: {
      403: closed,
      404: notHere,
      409: 'The post has changed: the problem has the `current` text. Or it takes no suggestions, has 500 comments, or the id is of another comment',
    },
  }),
  editReviewComment: route({
    method: 'POST',
    path: '/api/reviews/comment/edit',
    access: 'public',
    summary: 'Change the words of an own comment. After 15 minutes, readers see that it was edited',
    body: z.object({ ...ofComment, text: commentTextSchema }),
    maxBodyBytes: maxEditBodyBytes,
    reply: reviewCommentReply,
    status: 200,
    errors: { 403: closed, 404: notHere, 409: 'It was edited too often' },
  }),
  removeReviewComment: route({
    method: 'POST',
    path: '/api/reviews/comment/remove',
    access: 'public',
    summary: 'Remove an own comment; its words are erased',
    body: z.object(ofComment),
    reply: null,
    status: 204,
    errors: { 403: closed, 404: notHere },
  }),
}

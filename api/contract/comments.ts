/** The comments on a post: threads of two levels, for the team or for the client too. */
import { z } from 'zod'
import {
  audiences,
  audienceSchema,
  commentTextSchema,
  contentHashSchema,
  storedAnchorSchema,
} from '../../domain/discussion/commands.ts'
import { maxMentions } from '../../domain/core/comment-limits.ts'
import { contentSchema } from '../../domain/post/commands.ts'
import { idSchema } from '../../domain/core/values.ts'
import { cursorSchema } from './post-schemas.ts'
import { maxTextBodyBytes, route } from './route.ts'

const byPost = z.object({ id: idSchema })
const byComment = byPost.extend({ commentId: idSchema })
const offset = z.int('Enter a whole number').min(0, 'Enter a number from 0 on').max(65_000, 'Beyond any text')
const share = z.number().min(0, 'Enter a number from 0 to 1').max(1, 'Enter a number from 0 to 1')

/** A range of the text in UTF-16 units, or a point of the image in shares of its size. */
const anchorSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('range'), from: offset, to: offset, contentHash: contentHashSchema }),
  z.object({ kind: z.literal('point'), x: share, y: share, contentHash: contentHashSchema }),
])

export const sentAnchor = anchorSchema.nullish().transform((anchor) => anchor ?? null)

/** A text in place of the one with that hash. */
export const sentSuggestion = z
  .object({ text: contentSchema, contentHash: contentHashSchema })
  .nullish()
  .transform((suggestion) => suggestion ?? null)

const mentions = z
  .array(idSchema)
  .max(maxMentions, `A comment mentions at most ${maxMentions} people`)
  .default([])
  .transform((ids) => [...new Set(ids)])

export const newCommentBody = z.object({
  /** The caller's own UUID: the same comment sent twice is one. */
  commentId: idSchema,
  parentId: idSchema.nullish().transform((id) => id ?? null),
  /** Without it: the audience of the comment that it replies to, else the team. */
  audience: audienceSchema.nullish().transform((audience) => audience ?? null),
  text: commentTextSchema,
  anchor: sentAnchor,
  suggestion: sentSuggestion,
  /** Members who see the post. */
  mentions,
})
export const commentChangesBody = z.object({ text: commentTextSchema, mentions })

const acts = ['reply', 'edit', 'remove', 'take-over'] as const

export const suggestionReply = z.object({
  text: z.string(),
  /** `open`: for the text that the post has; `taken`: the post has the suggested text. */
  state: z.enum(['open', 'taken', 'outdated']),
})

const commentReply = z.object({
  id: z.string(),
  parentId: z.string().nullable(),
  audience: z.enum(audiences),
  author: z.object({
    kind: z.enum(['member', 'reviewer']),
    id: z.string(),
    /** Today's name; "Former member" or "Former reviewer" once the person is erased. */
    name: z.string(),
  }),
  postedAt: z.string(),
  /** Null for a comment that was edited within 15 minutes, or never. */
  editedAt: z.string().nullable(),
  /** `erased`: its words are gone with their author. */
  state: z.enum(['shown', 'removed', 'erased']),
  /** Null unless it is shown. */
  text: z.string().nullable(),
  anchor: storedAnchorSchema.nullable(),
  /** What it is about is no longer what the post has. */
  isEarlierVersion: z.boolean(),
  suggestion: suggestionReply.nullable(),
  /** Members of the agency. */
  mentions: z.array(z.string()),
  can: z.array(z.enum(acts)),
})
export type PostComment = z.infer<typeof commentReply>

const commentsReply = z.object({
  /** What new anchors are about: the text and the image with their hashes. */
  content: z.string(),
  textHash: z.string(),
  imageUrl: z.string().nullable(),
  imageHash: z.string().nullable(),
  /** In the order in which they were posted. */
  comments: z.array(commentReply),
  /** For `cursor`; null on the last page. */
  next: z.string().nullable(),
})
export type PostComments = z.infer<typeof commentsReply>

const versionReply = z.object({ content: z.string(), imageUrl: z.string().nullable() })
export type CommentedVersion = z.infer<typeof versionReply>

export const commentRoutes = {
  listComments: route({
    method: 'GET',
    path: '/api/posts/{id}/comments',
    access: 'agency',
    needs: 'viewer',
    client: 'loaded',
    summary: 'The comments on a post, the first one first, up to 100 at once',
    params: byPost,
    query: z.object({ cursor: cursorSchema.optional() }),
    reply: commentsReply,
    status: 200,
  }),
  postComment: route({
    method: 'POST',
    path: '/api/posts/{id}/comments',
    access: 'agency',
    needs: 'writer',
    client: 'loaded',
    summary:
      'Comment on a post, a range of its text or a point of its image, for the team or for the client too; or reply to a comment',
    params: byPost,
    body: newCommentBody,
    maxBodyBytes: maxTextBodyBytes,
    reply: commentReply,
    status: 201,
    errors: { 409: 'The text or the image has changed, or the rules refuse it; the sentence says why' },
  }),
  editComment: route({
    method: 'PATCH',
    path: '/api/posts/{id}/comments/{commentId}',
    access: 'agency',
    needs: 'writer',
    client: 'loaded',
    summary: 'Change the words of an own comment. After 15 minutes, readers see that it was edited',
    params: byComment,
    body: commentChangesBody,
    reply: commentReply,
    status: 200,
    errors: { 409: 'It was edited too often, or a mentioned person does not see the post' },
  }),
  removeComment: route({
    method: 'DELETE',
    path: '/api/posts/{id}/comments/{commentId}',
    access: 'agency',
    needs: 'writer',
    client: 'loaded',
    summary: 'Remove an own comment, or as an admin or the owner any comment; its words are erased',
    params: byComment,
    reply: null,
    status: 204,
  }),
  takeOverSuggestion: route({
    method: 'POST',
    path: '/api/posts/{id}/comments/{commentId}/take-over',
    access: 'agency',
    needs: 'writer',
    client: 'loaded',
    summary:
      'Take the text over that a comment suggests: a post that is pending or rejected is revised and submitted at once, and its approval steps begin anew; a draft stays one',
    params: byComment,
    reply: commentReply,
    status: 200,
    errors: {
      402: 'The trial or subscription has ended',
      409: 'The text has changed, or the post is approved',
      412: 'The post has changed meanwhile',
    },
  }),
  getCommentedVersion: route({
    method: 'GET',
    path: '/api/posts/{id}/comments/{commentId}/version',
    access: 'agency',
    needs: 'viewer',
    client: 'loaded',
    summary: 'The text and the image of the version that a comment is about, from the log',
    params: byComment,
    reply: versionReply,
    status: 200,
  }),
}

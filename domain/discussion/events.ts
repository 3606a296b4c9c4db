import { z } from 'zod'
import type { FactOf } from '../core/history.ts'
import { audienceSchema, storedAnchorSchema, storedSuggestionSchema } from './commands.ts'

const mentions = z.array(z.string())

/** No event has a word of a comment: digests with a salt prove the words that the records keep. */
export const discussionEvents = {
  CommentPosted: z.strictObject({
    commentId: z.string(),
    parentId: z.string().nullable(),
    audience: audienceSchema,
    digest: z.string(),
    anchor: storedAnchorSchema.nullable(),
    suggestion: storedSuggestionSchema.nullable(),
    mentions,
  }),
  /** `marked`: readers see that the comment was edited. */
  CommentEdited: z.strictObject({ commentId: z.string(), digest: z.string(), mentions, marked: z.boolean() }),
  CommentRemoved: z.strictObject({ commentId: z.string() }),
} as const

export type DiscussionEvent = FactOf<typeof discussionEvents>

/** The commands of a discussion: the comments on one post. */
import { z } from 'zod'
import { isStorable } from '../core/values.ts'
import { notBlank } from '../core/documented.ts'
import { maxCommentLength } from '../core/comment-limits.ts'
import { hasVisible } from '../core/visible.ts'

/** `team`: the agency's members alone; `client`: the client's reviewers too. */
export const audiences = ['team', 'client'] as const
export const audienceSchema = z.enum(audiences)
export type Audience = z.infer<typeof audienceSchema>

const tooLong = `A comment has at most ${maxCommentLength.toLocaleString('en-US')} characters`

/** A comment's words. No code point takes more than two UTF-16 units. */
export const commentTextSchema = z
  .string()
  .max(2 * maxCommentLength, tooLong)
  .refine((text) => text.length <= maxCommentLength || [...text].length <= maxCommentLength, tooLong)
  .refine(hasVisible, 'A comment must not be empty')
  .refine(
    isStorable,
    "The comment has an invisible character that can't be stored. Paste it as plain text, or type it again",
  )
  .meta({ ...notBlank, maxLength: maxCommentLength, examples: ['Could we name the opening hours?'] })

/** `v1:` and a SHA-256 (hex) of the text or the image that a comment is about. */
export const contentHashSchema = z
  .string()
  .regex(/^v1:[0-9a-f]{64}$/, 'Not the hash of a text or an image')
  .meta({ examples: [`v1:${'0'.repeat(64)}`] })

const share = z.number().min(0, 'Enter a number from 0 to 1').max(1, 'Enter a number from 0 to 1')

/**
 * What a comment is about: a range of the post's text in UTF-16 units, or a point of its image in shares of its size.
 */
export const storedAnchorSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('range'), from: z.int().min(0), to: z.int().min(0), contentHash: z.string() }),
  z.strictObject({ kind: z.literal('point'), x: share, y: share, contentHash: z.string() }),
])
export type Anchor = z.infer<typeof storedAnchorSchema>

/** A text that a comment proposes, in place of the one with that hash. Its words are in the records. */
export const storedSuggestionSchema = z.strictObject({ digest: z.string(), contentHash: z.string() })
export type Suggestion = z.infer<typeof storedSuggestionSchema>

export type DiscussionCommand =
  | {
      readonly type: 'PostComment'
      readonly commentId: string
      /** Null: it begins a thread. */
      readonly parentId: string | null
      /** Null: the audience of the comment that it replies to. */
      readonly audience: Audience | null
      readonly digest: string
      readonly anchor: Anchor | null
      readonly suggestion: Suggestion | null
      /** Members of the agency. */
      readonly mentions: readonly string[]
    }
  | {
      readonly type: 'EditComment'
      readonly commentId: string
      readonly digest: string
      readonly mentions: readonly string[]
    }
  | { readonly type: 'RemoveComment'; readonly commentId: string }

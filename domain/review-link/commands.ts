/** The commands of a review link. Browser-safe. */
import { z } from 'zod'
import { idSchema } from '../core/values.ts'

export const maxLinkContacts = 10
export const maxReviewedPosts = 100
export const maxPasscode = 200
/** Of one agency. */
export const maxOpenReviewLinks = 200

export const reviewAbilities = ['approve', 'comment', 'suggest', 'hold'] as const
export type ReviewAbility = (typeof reviewAbilities)[number]
export const reviewLocks = ['none', 'passcode', 'code'] as const

/** `pending`: the posts that wait for approval, and what becomes of them; `month`: in the agency's time zone. */
export const reviewScopeSchema = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ kind: z.literal('pending') }),
    z.strictObject({
      kind: z.literal('posts'),
      postIds: z
        .array(idSchema)
        .min(1, 'Choose at least one post')
        .max(maxReviewedPosts, `Choose at most ${maxReviewedPosts} posts`)
        .transform((ids) => [...new Set(ids)]),
    }),
    z.strictObject({ kind: z.literal('month'), month: z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'Use YYYY-MM') }),
  ],
  { error: 'Choose pending, posts or month' },
)
export type ReviewScope = z.infer<typeof reviewScopeSchema>

/** Who may use the link, what it shows, and what may be done through it. */
export interface ReviewLinkTerms {
  readonly clientId: string
  readonly contacts: readonly string[]
  readonly anyone: boolean
  readonly scope: ReviewScope
  readonly may: readonly ReviewAbility[]
  readonly lock: (typeof reviewLocks)[number]
  readonly expiresAt: string
}

export type ReviewLinkCommand =
  | ({ readonly type: 'IssueReviewLink' } & ReviewLinkTerms)
  | { readonly type: 'RevokeReviewLink' }
  /** Posts were shown through the link. */
  | { readonly type: 'RecordReviewLinkUse' }

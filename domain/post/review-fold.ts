/** How the events of a post change what its client sees of it: its last submission, and the verdicts on that. */
import type { Instant } from '../core/event.ts'
import type { StoredImage } from '../core/values.ts'
import type { Verdict } from './commands.ts'

export interface Submitted {
  readonly content: string
  readonly imageUrl: string | null
  readonly image: StoredImage | null
  readonly scheduledFor: Instant | null
}

export interface PostReview {
  /** The number of submissions. */
  readonly version: number
  /** The last one: a draft's text may have changed since, which the client must not see. */
  readonly submitted?: Submitted
  /** Each reviewer's last verdict on this version, with the approval hash of what was shown. */
  readonly verdicts: readonly {
    readonly reviewerId: string
    readonly verdict: Verdict
    readonly hash: string
  }[]
}

type Review = PostReview | undefined

export const afterSubmission = (
  review: Review,
  { content, imageUrl, image, scheduledFor }: Submitted,
): { readonly review: PostReview } => ({
  review: {
    version: (review?.version ?? 0) + 1,
    submitted: { content, imageUrl, image, scheduledFor },
    verdicts: [],
  },
})

export function afterVerdict(
  review: Review,
  { reviewerId, approvalHash }: { readonly reviewerId: string; readonly approvalHash: string },
  verdict: Verdict,
): { readonly review: PostReview } {
  const { version, verdicts, ...rest } = review ?? { version: 0, verdicts: [] }
  const others = verdicts.filter((other) => other.reviewerId !== reviewerId)
  return {
    review: {
      version,
      ...rest,
      verdicts: [...others, { reviewerId, verdict, hash: approvalHash }],
    },
  }
}

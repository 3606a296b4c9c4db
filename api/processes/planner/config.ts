export interface PlannerConfig {
  /** Poll interval for slots without a post. */
  readonly pollMs: number
  /** How far ahead slots are filled. */
  readonly aheadMs: number
  /** Agencies looked at or written for at once. */
  readonly agenciesAtOnce: number
  /** For this long after an event or a written post, each round looks again: the views may lag behind. */
  readonly settleMs: number
  /** Texts written concurrently over all agencies; an agency's texts are written one at a time. */
  readonly concurrency: number
  /** Timeout for one text. */
  readonly longestMs: number
  /** The longest time until a slot whose time is another post's is looked at again. */
  readonly longestLeftMs: number
  /** Backoff of a slot after its first failure; it grows with each further one. */
  readonly firstBackoffMs: number
  readonly longestBackoffMs: number
  /** Backoff of the agency's other slots meanwhile: the cause is often the same for all. */
  readonly agencyBackoffMs: number
  readonly longestAgencyBackoffMs: number
  /** True for a single planner: it needs no claims to coordinate with others. */
  readonly alone: boolean
  /** How long `stop` waits for texts in flight. */
  readonly stopWithinMs: number
}

const minute = 60_000
const hour = 60 * minute

export const plannerDefaults: PlannerConfig = {
  pollMs: 10_000,
  aheadMs: 7 * 24 * hour,
  agenciesAtOnce: 16,
  settleMs: 30_000,
  concurrency: 4,
  longestMs: minute,
  longestLeftMs: hour,
  firstBackoffMs: minute,
  longestBackoffMs: 6 * hour,
  agencyBackoffMs: 5_000,
  longestAgencyBackoffMs: 10 * minute,
  alone: true,
  stopWithinMs: 10_000,
}

export interface PlannerConfig {
  /** Poll interval for slots without a post. */
  readonly pollMs: number
  /** How far ahead slots are filled. */
  readonly aheadMs: number
  /** Texts written concurrently over all agencies; an agency's texts are written one at a time. */
  readonly concurrency: number
  /** Timeout for one text. */
  readonly longestMs: number
  /** Backoff of a slot after its first failure; it grows with each further one. */
  readonly firstRestMs: number
  readonly longestRestMs: number
  /** Backoff of the agency's other slots meanwhile: the cause is often the same for all. */
  readonly agencyRestMs: number
  readonly longestAgencyRestMs: number
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
  concurrency: 4,
  longestMs: minute,
  firstRestMs: minute,
  longestRestMs: 6 * hour,
  agencyRestMs: 5_000,
  longestAgencyRestMs: 10 * minute,
  alone: true,
  stopWithinMs: 10_000,
}

export interface PlannerConfig {
  /** Between two looks for slots without a post. */
  readonly pollMs: number
  /** How far ahead slots are filled. */
  readonly aheadMs: number
  /** Texts that are written at once, over all agencies; an agency's come one after the other. */
  readonly concurrency: number
  /** A text takes no longer. */
  readonly longestMs: number
  /** The rest of a slot after its first failure; longer after each further one. */
  readonly firstRestMs: number
  readonly longestRestMs: number
  /** The rest of an agency's other slots meanwhile: what failed for one may well fail for all. */
  readonly agencyRestMs: number
  readonly longestAgencyRestMs: number
  /** The only planner there is needs to tell no other what it is writing. */
  readonly alone: boolean
  /** How long `stop` waits for what is under way. */
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

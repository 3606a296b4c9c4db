export interface PublisherConfig {
  /** Between two looks for due posts. */
  readonly pollMs: number
  /** Between two looks for attempts whose outcome is open. */
  readonly settleMs: number
  /** Posts that are sent at once; a social account's posts go one after the other. */
  readonly concurrency: number
  /** Media are made ready so long before a post's time. */
  readonly prepareAheadMs: number
  /** Posts whose media are made ready at once. */
  readonly prepareConcurrency: number
  /** How many due posts one look reads at most. */
  readonly lookAhead: number
  /** A post that is later than this is held for a person instead of being fired. */
  readonly holdAfterMinutes: number
  /** The longest an attempt may take. Sending begins in its first half, after media are prepared; the second is longer than a network's time-out. */
  readonly attemptMs: number
  /** Tries until a rejected post has failed. Rejections that name a time to wait don't count. */
  readonly maxAttempts: number
  /** The pause after the first rejection; it doubles with each further one. */
  readonly firstRetryMs: number
  readonly longestRetryMs: number
  /** Since its claim: before that, a post that isn't found may still be on its way to the network. */
  readonly believeAbsentAfterMs: number
  /** Look-ups of one unknown outcome until they become rare. */
  readonly maxLookUps: number
  readonly rareLookUpMs: number
  /** The pause after the first look-up that decided nothing; it doubles with each further one. */
  readonly firstLookUpMs: number
  readonly longestLookUpMs: number
  /** How long `stop` waits for what is being sent. */
  readonly stopWithinMs: number
  /** True where no other publisher runs: every open claim at the start is then of an earlier life. */
  readonly ownsAllClaims: boolean
}

export const publisherDefaults: PublisherConfig = {
  pollMs: 250,
  settleMs: 1_000,
  concurrency: 48,
  prepareAheadMs: 5 * 60_000,
  prepareConcurrency: 8,
  lookAhead: 2_000,
  holdAfterMinutes: 60,
  attemptMs: 120_000,
  maxAttempts: 5,
  firstRetryMs: 30_000,
  longestRetryMs: 30 * 60_000,
  believeAbsentAfterMs: 120_000,
  maxLookUps: 12,
  rareLookUpMs: 6 * 3_600_000,
  firstLookUpMs: 2_000,
  longestLookUpMs: 10 * 60_000,
  stopWithinMs: 15_000,
  ownsAllClaims: false,
}

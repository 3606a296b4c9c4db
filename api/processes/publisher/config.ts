import { defaultTimeoutMs } from '../../networks/network-client.ts'

export interface PublisherConfig {
  /** Poll interval for due posts. */
  readonly pollMs: number
  /** Poll interval for attempts with an open outcome. */
  readonly settleMs: number
  /** Posts sent concurrently; an account's posts are sent one at a time. */
  readonly concurrency: number
  /** How long before a post's time its media are prepared. */
  readonly prepareAheadMs: number
  /** Posts whose media are prepared concurrently. */
  readonly prepareConcurrency: number
  /** Due posts read per poll at most. */
  readonly lookAhead: number
  /** A post that is later than this is held for a user's decision instead of being sent. */
  readonly holdAfterMinutes: number
  /** Timeout of an attempt. Sending starts in its first half; the second half is longer than a network's timeout. */
  readonly attemptMs: number
  /** Attempts until a rejected post fails. Rejections with a retry-after don't count. */
  readonly maxAttempts: number
  /** Backoff after the first rejection; it doubles with each further one. */
  readonly firstRetryMs: number
  readonly longestRetryMs: number
  /** A network's timeout: a request that was sent arrives within it, or never. */
  readonly sendTimeoutMs: number
  /** How long `stop` waits for posts in flight. */
  readonly stopWithinMs: number
  /** True for a single publisher: every open claim at the start is then from before the restart. */
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
  sendTimeoutMs: defaultTimeoutMs,
  stopWithinMs: 15_000,
  ownsAllClaims: false,
}

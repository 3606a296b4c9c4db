/**
 * When an unknown outcome is looked up: at once, then 1, 3, 10 and 30 minutes after its request can have been on its
 * way at the latest, then every hour for a day.
 */
import type { Instant } from '../../../domain/core/event.ts'
import { isOfFuture, later } from '../../core/clock.ts'
import type { PublisherConfig } from './config.ts'

const minute = 60_000
export const hour = 60 * minute
const afterMs = [1, 3, 10, 30].map((minutes) => minutes * minute)
for (let hours = 1; hours <= 24; hours++) afterMs.push(hours * hour)

type Limits = Pick<PublisherConfig, 'attemptMs' | 'sendTimeoutMs'>

/** No event separates the claim from the sending, so sending may have begun until the claim expired. */
export const sentBy = (claimedAt: Instant, { attemptMs, sendTimeoutMs }: Limits): Instant =>
  later(claimedAt, attemptMs + sendTimeoutMs)

/** The next scheduled look-up; null after the last one. Hourly for a claim of a clock that ran ahead. */
export function nextLookUp(claimedAt: Instant, now: Instant, limits: Limits): Instant | null {
  if (isOfFuture(claimedAt, now)) return later(now, hour)
  const from = sentBy(claimedAt, limits)
  return afterMs.map((ms) => later(from, ms)).find((at) => at > now) ?? null
}

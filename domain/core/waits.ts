/** Waits that a network asked for. */
import type { Instant } from './event.ts'

/** No network asks for more than a day, and the clocks of two processes differ by less than five minutes. */
const longestMs = 24 * 3_600_000 + 5 * 60_000

/**
 * The end of a wait; null for one that ends too far ahead. It was noted by a clock that ran ahead, and would hold an
 * account's posts until its date.
 */
export const plausibleEnd = (until: Instant | null, now: Instant): Instant | null =>
  until !== null && Date.parse(until) - Date.parse(now) <= longestMs ? until : null

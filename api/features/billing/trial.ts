import type { Instant } from '../../../domain/core/event.ts'
import type { TrialLeft } from './port.ts'

const dayMs = 24 * 3_600_000
/**
 * Stripe's checkout accepts a trial end only from this far ahead; a shorter rest is sent in days.
 * https://docs.stripe.com/payments/checkout/free-trials
 */
const nearestEndMs = 2 * dayMs

/** The rest of a trial for checkout, never less than is left; null when it is over. */
export function trialLeft(endsAt: Instant | null, now: Instant): TrialLeft | null {
  const left = endsAt === null ? 0 : Date.parse(endsAt) - Date.parse(now)
  if (endsAt === null || left <= 0) return null
  // A minute more than the rule, because the request takes time.
  return left > nearestEndMs + 60_000 ? { until: endsAt } : { days: Math.ceil(left / dayMs) }
}

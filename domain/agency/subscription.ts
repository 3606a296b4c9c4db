/** How an agency's subscription follows what its payment provider says, in whatever order the news arrives. */
import type { ProviderStatus, SubscriptionFacts, SubscriptionStatus } from './commands.ts'
import type { AgencyEvent } from './events.ts'
import type { Agency } from './state.ts'

/** A card on file counts as paid, also while the provider still runs the rest of the trial. */
const statusOf = {
  trialing: 'active',
  active: 'active',
  past_due: 'past_due',
  unpaid: 'unpaid',
  canceled: 'canceled',
} as const satisfies Readonly<Record<Exclude<ProviderStatus, 'incomplete'>, SubscriptionStatus>>

/** Of two news of the same second the later in a subscription's life is the newer one. */
const rank: Readonly<Record<SubscriptionStatus, number>> = { trialing: 0, expired: 0, active: 1, past_due: 2, unpaid: 3, canceled: 4 }

const lives: readonly SubscriptionStatus[] = ['active', 'past_due']

/** Never refuses: what is older, or says nothing new, appends nothing. */
export function recordSubscription(agency: Agency, facts: SubscriptionFacts): AgencyEvent[] {
  const { subscriptionId, customerId, status: told, currentPeriodEnd, endsWithPeriod, asOf } = facts
  // A checkout that was begun and not paid is no subscription yet.
  if (told === 'incomplete') return []
  const status = statusOf[told]
  const isKnown = agency.subscriptionId === subscriptionId
  if (isKnown && isOlder(agency, status, asOf)) return []
  // The end of a subscription that was replaced meanwhile changes nothing.
  if (!isKnown && agency.subscriptionId !== null && lives.includes(agency.status) && status !== 'active') return []

  const activated: AgencyEvent = {
    type: 'SubscriptionActivated',
    data: { subscriptionId, customerId, currentPeriodEnd, endsWithPeriod, asOf },
  }
  const isSame = isKnown && agency.currentPeriodEnd === currentPeriodEnd && agency.endsWithPeriod === endsWithPeriod
  const isConfirmed = isKnown && agency.status === status && (status !== 'active' || isSame)
  // Nothing new but its time, which makes what is older old.
  if (isConfirmed) return agency.asOf === asOf ? [] : [{ type: 'SubscriptionConfirmed', data: { asOf } }]
  if (status === 'active') return [activated]
  // News of its trouble came before those of its beginning: it must have begun.
  return [...(isKnown ? [] : [activated]), troubles[status](asOf)]
}

const isOlder = ({ status: now, asOf: known }: Agency, status: SubscriptionStatus, asOf: string): boolean =>
  known !== null && (asOf < known || (asOf === known && rank[status] < rank[now]))

const troubles: Readonly<Record<'past_due' | 'unpaid' | 'canceled', (asOf: string) => AgencyEvent>> = {
  past_due: (asOf) => ({ type: 'PaymentFellOverdue', data: { asOf } }),
  unpaid: (asOf) => ({ type: 'SubscriptionLeftUnpaid', data: { asOf } }),
  canceled: (asOf) => ({ type: 'SubscriptionCanceled', data: { asOf } }),
}

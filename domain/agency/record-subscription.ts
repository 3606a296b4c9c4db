/** Turns the payment provider's updates of subscriptions into events, for any order of arrival. */
import type { ProviderStatus, SubscriptionFacts } from './commands.ts'
import type { AgencyEvent } from './events.ts'
import type { Subscription } from './subscriptions.ts'

type Status = Subscription['status']

/** A card on file counts as paid, even while the provider's own trial is still running. */
const statusOf = {
  trialing: 'active',
  active: 'active',
  past_due: 'past_due',
  unpaid: 'unpaid',
  canceled: 'canceled',
} as const satisfies Readonly<Record<Exclude<ProviderStatus, 'incomplete'>, Status>>

const troubles = {
  past_due: 'PaymentFellOverdue',
  unpaid: 'SubscriptionLeftUnpaid',
  canceled: 'SubscriptionCanceled',
} as const

/** Never refuses: an outdated or redundant update appends nothing. */
export function recordSubscription(
  subscriptions: readonly Subscription[],
  facts: SubscriptionFacts,
  heard: 'told' | 'asked',
): AgencyEvent[] {
  const { subscriptionId, customerId, status: reported, currentPeriodEnd, endsWithPeriod, begunAt, asOf } = facts
  // A checkout that was started but not paid is no subscription yet.
  if (reported === 'incomplete') return []
  const status = statusOf[reported]
  const known = subscriptions.find(({ id }) => id === subscriptionId)
  if (known && isOlder(known, status, asOf)) return []

  const isSame =
    known?.status === status &&
    (status !== 'active' || (known.currentPeriodEnd === currentPeriodEnd && known.endsWithPeriod === endsWithPeriod))
  if (isSame) {
    // Only the timestamp changed: older updates are now stale. The reported of our own request needs no such event,
    // because a missed change before it would be followed by the change back.
    return heard === 'asked' || known.asOf === asOf
      ? []
      : [{ type: 'SubscriptionConfirmed', data: { subscriptionId, asOf } }]
  }
  const activated: AgencyEvent = {
    type: 'SubscriptionActivated',
    data: { subscriptionId, customerId, currentPeriodEnd, endsWithPeriod, begunAt, asOf },
  }
  if (status === 'active') return [activated]
  // The update about the problem arrived before the one about the start: record the start too.
  return [...(known ? [] : [activated]), { type: troubles[status], data: { subscriptionId, asOf } }]
}

/** Of two updates with the same second, the later lifecycle status is the newer one. */
const rank: Readonly<Record<Status, number>> = { active: 1, past_due: 2, unpaid: 3, canceled: 4 }

const isOlder = ({ status: now, asOf: known }: Subscription, status: Status, asOf: string): boolean =>
  known !== null && (asOf < known || (asOf === known && rank[status] < rank[now]))

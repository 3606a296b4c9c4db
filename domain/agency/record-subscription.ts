/** How the log follows what a payment provider says of subscriptions, in whatever order the news arrives. */
import type { ProviderStatus, SubscriptionFacts } from './commands.ts'
import type { AgencyEvent } from './events.ts'
import type { Subscription } from './subscriptions.ts'

type Status = Subscription['status']

/** A card on file counts as paid, also while the provider still runs the rest of the trial. */
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

/** Never refuses: what is older, or says nothing new, appends nothing. */
export function recordSubscription(
  subscriptions: readonly Subscription[],
  facts: SubscriptionFacts,
  heard: 'told' | 'asked',
): AgencyEvent[] {
  const { subscriptionId, customerId, status: told, currentPeriodEnd, endsWithPeriod, begunAt, asOf } = facts
  // A checkout that was begun and not paid is no subscription yet.
  if (told === 'incomplete') return []
  const status = statusOf[told]
  const known = subscriptions.find(({ id }) => id === subscriptionId)
  if (known && isOlder(known, status, asOf)) return []

  const isSame =
    known?.status === status &&
    (status !== 'active' || (known.currentPeriodEnd === currentPeriodEnd && known.endsWithPeriod === endsWithPeriod))
  if (isSame) {
    // Its time alone is new, which makes what is older old. What was only asked for needs no such fact: a change before it is followed by the change back.
    return heard === 'asked' || known.asOf === asOf
      ? []
      : [{ type: 'SubscriptionConfirmed', data: { subscriptionId, asOf } }]
  }
  const activated: AgencyEvent = {
    type: 'SubscriptionActivated',
    data: { subscriptionId, customerId, currentPeriodEnd, endsWithPeriod, begunAt, asOf },
  }
  if (status === 'active') return [activated]
  // News of its trouble came before those of its beginning: it must have begun.
  return [...(known ? [] : [activated]), { type: troubles[status], data: { subscriptionId, asOf } }]
}

/** Of two news of the same second the later in a subscription's life is the newer one. */
const rank: Readonly<Record<Status, number>> = { active: 1, past_due: 2, unpaid: 3, canceled: 4 }

const isOlder = ({ status: now, asOf: known }: Subscription, status: Status, asOf: string): boolean =>
  known !== null && (asOf < known || (asOf === known && rank[status] < rank[now]))

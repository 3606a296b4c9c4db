/** What an agency's subscriptions are after an event, and which of them it lives by: one rule for the decider and the view. */
import type { Instant } from '../core/event.ts'
import type { AgencyEvent } from './events.ts'

export interface Subscription {
  readonly id: string
  readonly customerId: string
  readonly status: 'active' | 'past_due' | 'unpaid' | 'canceled'
  readonly currentPeriodEnd: Instant | null
  /** It was canceled and only lasts until the period's end. */
  readonly endsWithPeriod: boolean
  /** When it was made; null where that was not written down yet. */
  readonly begunAt: Instant | null
  /** The provider's time of the newest news of it. */
  readonly asOf: Instant | null
}

type SubscriptionEvent = Extract<
  AgencyEvent,
  {
    type:
      | 'SubscriptionActivated'
      | 'SubscriptionConfirmed'
      | 'PaymentFellOverdue'
      | 'SubscriptionLeftUnpaid'
      | 'SubscriptionCanceled'
  }
>

/** The one that an agency lives by: the latest begun of those that live, else the latest begun of all. */
export function followed(subscriptions: readonly Subscription[]): Subscription | null {
  return subscriptions.reduce<Subscription | null>(
    (best, one) => (best !== null && outranks(best, one) ? best : one),
    null,
  )
}

const lives = ({ status }: Subscription) => status === 'active' || status === 'past_due'

function outranks(one: Subscription, other: Subscription): boolean {
  if (lives(one) !== lives(other)) return lives(one)
  if (one.begunAt !== other.begunAt) return (one.begunAt ?? '') > (other.begunAt ?? '')
  return one.begunAt !== null && one.id > other.id
}

/** All of an agency's subscriptions after an event; one that was written before events named theirs is of the one followed then. */
export function withEvent(
  subscriptions: readonly Subscription[],
  { type, data }: SubscriptionEvent,
): readonly Subscription[] {
  const id = data.subscriptionId ?? followed(subscriptions)?.id
  const known = subscriptions.find((one) => one.id === id)
  const asOf = data.asOf ?? known?.asOf ?? null
  if (type === 'SubscriptionActivated') {
    const {
      subscriptionId,
      customerId,
      currentPeriodEnd,
      endsWithPeriod = false,
      begunAt = known?.begunAt ?? null,
    } = data
    const next: Subscription = {
      id: subscriptionId,
      customerId,
      status: 'active',
      currentPeriodEnd,
      endsWithPeriod,
      begunAt,
      asOf,
    }
    return known ? subscriptions.map((one) => (one === known ? next : one)) : [...subscriptions, next]
  }
  if (!known) return subscriptions
  const status = type === 'SubscriptionConfirmed' ? known.status : comesTo[type]
  return subscriptions.map((one) => (one === known ? { ...known, status, asOf } : one))
}

const comesTo = {
  PaymentFellOverdue: 'past_due',
  SubscriptionLeftUnpaid: 'unpaid',
  SubscriptionCanceled: 'canceled',
} as const

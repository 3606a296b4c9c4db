/** An agency's subscriptions after an event, and which of them counts: one rule for the decider and the view. */
import type { Instant } from '../core/event.ts'
import type { AgencyEvent } from './events.ts'

export interface Subscription {
  readonly id: string
  readonly customerId: string
  readonly status: 'active' | 'past_due' | 'unpaid' | 'canceled'
  readonly currentPeriodEnd: Instant | null
  /** The subscription was canceled and ends with the period. */
  readonly endsWithPeriod: boolean
  /** Creation time; null in events from before it was recorded. */
  readonly begunAt: Instant | null
  /** The provider's timestamp of the newest update. */
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

/** The subscription that counts: the latest created live one, otherwise the latest created of all. */
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

/**
 * All of an agency's subscriptions after an event. An old event without a subscription id belongs to the one that
 * counted then.
 */
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

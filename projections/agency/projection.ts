import type { AgencyEvent } from '../../domain/agency/events.ts'
import { followed, withEvent } from '../../domain/agency/subscriptions.ts'
import { idOf, projection } from '../core/projection.ts'
import { agencyView, type AgencyView } from './view.ts'

const change = (agency: AgencyView | null, changes: Partial<AgencyView>) => (agency ? { ...agency, ...changes } : null)

/** Shows the agency's current subscription. */
function subscribed(agency: AgencyView | null, event: Parameters<typeof withEvent>[1]): AgencyView | null {
  if (!agency) return null
  const subscriptions = withEvent(agency.subscriptions, event)
  const one = followed(subscriptions)
  if (!one) return agency
  const {
    id: stripeSubscriptionId,
    customerId: stripeCustomerId,
    status: subscriptionStatus,
    currentPeriodEnd,
    endsWithPeriod,
  } = one
  return {
    ...agency,
    subscriptions: [...subscriptions],
    stripeSubscriptionId,
    stripeCustomerId,
    subscriptionStatus,
    currentPeriodEnd,
    endsWithPeriod,
  }
}

export const agencyProjection = projection<AgencyEvent>()({
  name: 'agency',
  version: 5,
  view: agencyView,
  // Version 3 was from before an agency had members, version 4 from before it could require a second factor.
  predecessors: [
    { version: 4, convert: (agency) => agencyView.parse({ ...agency, secondFactorSince: null }) },
    {
      version: 3,
      convert: (agency) => agencyView.parse({ ...agency, ownApproval: 'allowed', secondFactorSince: null }),
    },
  ],
  indexes: [['subscriptionStatus', 'trialEndsAt']],
  on: {
    AgencyOpened: (_, { stream, data, metadata }) => ({
      id: idOf(stream),
      ownerId: data.ownerId,
      name: data.name,
      timeZone: data.timeZone,
      subscriptionStatus: 'trialing' as const,
      trialEndsAt: null,
      currentPeriodEnd: null,
      endsWithPeriod: false,
      stripeCustomerId: null,
      stripeSubscriptionId: null,
      subscriptions: [],
      ownApproval: 'allowed' as const,
      secondFactorSince: null,
      createdAt: metadata.at,
    }),
    TrialStarted: (agency, { data }) => change(agency, { trialEndsAt: data.endsAt }),
    TrialExpired: (agency) => change(agency, { subscriptionStatus: 'expired' }),
    TimeZoneChanged: (agency, { data }) => change(agency, { timeZone: data.timeZone }),
    OwnershipTransferred: (agency, { data }) => change(agency, { ownerId: data.userId }),
    OwnApprovalSet: (agency, { data }) => change(agency, { ownApproval: data.ownApproval }),
    SecondFactorRequired: (agency, { data }) => change(agency, { secondFactorSince: data.since }),
    SecondFactorRequirementLifted: (agency) => change(agency, { secondFactorSince: null }),
    SubscriptionActivated: subscribed,
    SubscriptionConfirmed: subscribed,
    PaymentFellOverdue: subscribed,
    SubscriptionLeftUnpaid: subscribed,
    SubscriptionCanceled: subscribed,
  },
})

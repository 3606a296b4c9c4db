import type { AgencyEvent } from '../../domain/agency/events.ts'
import { idOf, projection } from '../core/projection.ts'
import { agencyView, type AgencyView } from './view.ts'

const change = (agency: AgencyView | null, changes: Partial<AgencyView>) => (agency ? { ...agency, ...changes } : null)

export const agencyProjection = projection<AgencyEvent>()({
  name: 'agency',
  version: 1,
  view: agencyView,
  indexes: [],
  on: {
    AgencyOpened: (_, { stream, data, metadata }) => ({
      id: idOf(stream),
      ownerId: data.ownerId,
      name: data.name,
      timeZone: data.timeZone,
      subscriptionStatus: 'trialing' as const,
      trialEndsAt: null,
      currentPeriodEnd: null,
      stripeCustomerId: null,
      stripeSubscriptionId: null,
      createdAt: metadata.at,
    }),
    TrialStarted: (agency, { data }) => change(agency, { trialEndsAt: data.endsAt }),
    TrialExpired: (agency) => change(agency, { subscriptionStatus: 'expired' }),
    TimeZoneChanged: (agency, { data }) => change(agency, { timeZone: data.timeZone }),
    SubscriptionActivated: (agency, { data }) =>
      change(agency, {
        subscriptionStatus: 'active',
        currentPeriodEnd: data.currentPeriodEnd,
        stripeCustomerId: data.customerId,
        stripeSubscriptionId: data.subscriptionId,
      }),
    PaymentFellOverdue: (agency) => change(agency, { subscriptionStatus: 'past_due' }),
    SubscriptionLeftUnpaid: (agency) => change(agency, { subscriptionStatus: 'unpaid' }),
    SubscriptionCanceled: (agency) => change(agency, { subscriptionStatus: 'canceled' }),
  },
})

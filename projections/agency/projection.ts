import type { AgencyEvent } from '../../domain/agency/events.ts'
import { idOf, projection } from '../core/projection.ts'
import { agencyView, type AgencyView } from './view.ts'

const change = (agency: AgencyView | null, changes: Partial<AgencyView>) => (agency ? { ...agency, ...changes } : null)

export const agencyProjection = projection<AgencyEvent>()({
  name: 'agency',
  version: 2,
  view: agencyView,
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
      createdAt: metadata.at,
    }),
    TrialStarted: (agency, { data }) => change(agency, { trialEndsAt: data.endsAt }),
    TrialExpired: (agency) => change(agency, { subscriptionStatus: 'expired' }),
    TimeZoneChanged: (agency, { data }) => change(agency, { timeZone: data.timeZone }),
    SubscriptionActivated: (agency, { data }) =>
      change(agency, {
        subscriptionStatus: 'active',
        currentPeriodEnd: data.currentPeriodEnd,
        endsWithPeriod: data.endsWithPeriod ?? false,
        stripeCustomerId: data.customerId,
        stripeSubscriptionId: data.subscriptionId,
      }),
    PaymentFellOverdue: (agency) => change(agency, { subscriptionStatus: 'past_due' }),
    SubscriptionLeftUnpaid: (agency) => change(agency, { subscriptionStatus: 'unpaid' }),
    SubscriptionCanceled: (agency) => change(agency, { subscriptionStatus: 'canceled' }),
  },
})

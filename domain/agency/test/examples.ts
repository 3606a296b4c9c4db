import type { ClientProfile } from '../commands.ts'
import type { AgencyEvent } from '../events.ts'
import type { GivenRole } from '../roles.ts'

export const now = '2026-03-02T10:00:00.000Z'
export const trialEndsAt = '2026-03-09T10:00:00.000Z'
export const ownerId = '0195a000-0000-7000-8000-0000000000a1'
export const agencyId = '0195a000-0000-7000-8000-0000000000a2'
export const clientId = '0195a000-0000-7000-8000-000000000001'

export const profile: ClientProfile = {
  name: 'Blue Cup',
  description: 'A coffee bar by the harbour',
  industry: 'Food and drink',
  targetAudience: 'Commuters',
  toneOfVoice: 'friendly',
  brandColor: '#3b82f6',
  logoUrl: null,
}

export const open = { type: 'OpenAgency', agencyId, ownerId, name: 'North Star', timeZone: 'Europe/Berlin' } as const

export const opened: AgencyEvent = {
  type: 'AgencyOpened',
  data: { ownerId, name: 'North Star', timeZone: 'Europe/Berlin' },
}
export const trialStarted: AgencyEvent = { type: 'TrialStarted', data: { endsAt: trialEndsAt } }
export const clientAdded: AgencyEvent = { type: 'ClientAdded', data: { clientId, profile } }
export const clientRemoved: AgencyEvent = { type: 'ClientRemoved', data: { clientId, name: 'Blue Cup' } }
export const trialExpired: AgencyEvent = { type: 'TrialExpired', data: { endedAt: trialEndsAt } }
export const activated: AgencyEvent = {
  type: 'SubscriptionActivated',
  data: { subscriptionId: 'sub_1', customerId: 'cus_1', currentPeriodEnd: '2026-04-02T10:00:00.000Z' },
}
export const overdue: AgencyEvent = { type: 'PaymentFellOverdue', data: {} }
export const unpaid: AgencyEvent = { type: 'SubscriptionLeftUnpaid', data: {} }
export const canceled: AgencyEvent = { type: 'SubscriptionCanceled', data: {} }

/** People: each member's id is also the last letters of the user's. */
export const userOf = (memberId: string) => `user-${memberId}`
export const invitationOf = (memberId: string) => `invitation-${memberId}`
export const invitationEnds = '2026-03-09T10:00:00.000Z'

export const invited = (
  memberId: string,
  role: GivenRole,
  clients: 'all' | string[] = 'all',
  invitedBy = ownerId,
): AgencyEvent => ({
  type: 'MemberInvited',
  data: { invitationId: invitationOf(memberId), role, clients, expiresAt: invitationEnds, invitedBy },
})
export const joined = (memberId: string, role: GivenRole, clients: 'all' | string[] = 'all'): AgencyEvent => ({
  type: 'MemberJoined',
  data: { memberId, userId: userOf(memberId), role, clients, invitationId: invitationOf(memberId) },
})
/** Two events for each: invited by the owner, and joined. */
export const withMember = (memberId: string, role: GivenRole, clients: 'all' | string[] = 'all') => [
  invited(memberId, role, clients),
  joined(memberId, role, clients),
]

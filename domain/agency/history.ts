import { history } from '../core/history.ts'
import { agencyEvents } from './events.ts'

export const agencyHistory = history(agencyEvents, {
  AgencyOpened: 'AgencyOpened',
  TrialStarted: 'TrialStarted',
  TrialExpired: 'TrialExpired',
  TimeZoneChanged: 'TimeZoneChanged',
  ClientAdded: 'ClientAdded',
  ClientProfileRevised: 'ClientProfileRevised',
  ClientRemoved: 'ClientRemoved',
  SubscriptionActivated: 'SubscriptionActivated',
  SubscriptionConfirmed: 'SubscriptionConfirmed',
  PaymentFellOverdue: 'PaymentFellOverdue',
  SubscriptionLeftUnpaid: 'SubscriptionLeftUnpaid',
  SubscriptionCanceled: 'SubscriptionCanceled',
  MemberInvited: 'MemberInvited',
  InvitationWithdrawn: 'InvitationWithdrawn',
  MemberJoined: 'MemberJoined',
  MemberRoleChanged: 'MemberRoleChanged',
  MemberRemoved: 'MemberRemoved',
  MemberLeft: 'MemberLeft',
  MemberFactorsReset: 'MemberFactorsReset',
  OwnershipOffered: 'OwnershipOffered',
  OwnershipTransferred: 'OwnershipTransferred',
  OwnApprovalSet: 'OwnApprovalSet',
  SecondFactorRequired: 'SecondFactorRequired',
  SecondFactorRequirementLifted: 'SecondFactorRequirementLifted',
})

import { history } from '../core/history.ts'
import { clientEvents } from './events.ts'

export const clientHistory = history(clientEvents, {
  SocialAccountAdded: 'SocialAccountAdded',
  SocialAccountRenamed: 'SocialAccountRenamed',
  SocialAccountRemoved: 'SocialAccountRemoved',
  SocialAccountConnected: 'SocialAccountConnected',
  SocialAccountConnectionRenewed: 'SocialAccountConnectionRenewed',
  SocialAccountConnectionLost: 'SocialAccountConnectionLost',
  SocialAccountPaused: 'SocialAccountPaused',
  SocialAccountDisconnected: 'SocialAccountDisconnected',
  PostingScheduleAdded: 'PostingScheduleAdded',
  PostingScheduleRevised: 'PostingScheduleRevised',
  PostingSchedulePaused: 'PostingSchedulePaused',
  PostingScheduleResumed: 'PostingScheduleResumed',
  PostingScheduleRemoved: 'PostingScheduleRemoved',
  PostPlanningFailed: 'PostPlanningFailed',
  PostPlanningRetried: 'PostPlanningRetried',
  ApprovalPolicySet: 'ApprovalPolicySet',
  ClientContactAdded: 'ClientContactAdded',
  ClientContactRemoved: 'ClientContactRemoved',
})

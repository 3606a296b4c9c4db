import type { ClientEvent } from '../events.ts'
import type { ScheduleRules } from '../commands.ts'
import type { ApprovalPolicy } from '../../core/approval-policy.ts'
import type { Approver } from '../../core/approval-round.ts'
import type { ClientContext } from '../state.ts'

export const context: ClientContext = {
  now: '2026-03-02T10:00:00.000Z',
  standing: 'good',
  onRoster: true,
  approvers: [],
}
export const accountId = '0195a000-0000-7000-8000-000000000002'
export const scheduleId = '0195a000-0000-7000-8000-000000000004'

export const addAccount = {
  type: 'AddSocialAccount',
  accountId,
  platform: 'facebook',
  accountName: 'Blue Cup Coffee',
  accountUrl: null,
} as const
export const added: ClientEvent = {
  type: 'SocialAccountAdded',
  data: { accountId, platform: 'facebook', accountName: 'Blue Cup Coffee', accountUrl: null },
}
export const connected: ClientEvent = {
  type: 'SocialAccountConnected',
  data: { accountId, platform: 'facebook', remoteId: 'page-1', network: 'sandbox', endsAt: null },
}
export const lost: ClientEvent = {
  type: 'SocialAccountConnectionLost',
  data: { accountId, platform: 'facebook', cause: 'The password was changed.' },
}
export const resting: ClientEvent = {
  type: 'SocialAccountPaused',
  data: { accountId, platform: 'facebook', until: '2026-03-02T10:15:00.000Z', cause: 'Too many posts.' },
}
export const rules: ScheduleRules = {
  frequency: 'weekly',
  postsPerWeek: 3,
  preferredTimes: [{ day: 1, time: '09:00' }],
  contentTopics: ['News'],
}
export const scheduleAdded: ClientEvent = { type: 'PostingScheduleAdded', data: { scheduleId, accountId, ...rules } }
export const slot = '2026-03-09T09:00:00.000Z'
export const planningFailed: ClientEvent = {
  type: 'PostPlanningFailed',
  data: { scheduleId, revision: 0, slot, cause: 'The writer took too long to answer. Please try again.' },
}
export const paused: ClientEvent = { type: 'PostingSchedulePaused', data: { scheduleId, accountId } }

export const contactId = '0195a000-0000-7000-8000-0000000000c1'
export const ada: Approver = { memberId: '0195a000-0000-7000-8000-0000000000a1', userId: 'user-ada', role: 'manager' }
export const policy: ApprovalPolicy = {
  steps: [
    {
      id: '0195a000-0000-7000-8000-0000000000b1',
      name: 'Text',
      who: { kind: 'members', memberIds: [ada.memberId] },
      need: 'any',
    },
    {
      id: '0195a000-0000-7000-8000-0000000000b2',
      name: 'Last look',
      who: { kind: 'role', role: 'owner' },
      need: 'all',
    },
  ],
  ownApproval: 'refused',
  timePart: { kind: 'bound', minutes: 60 },
}

import { describe, expect, it } from 'vitest'
import { noApprovalPolicy } from '../core/approval-policy.ts'
import { specification } from '../test/specification.ts'
import type { ClientCommand } from './commands.ts'
import { clientDecider } from './decider.ts'
import type { ClientEvent } from './events.ts'
import * as a from './test/examples.ts'

const { given } = specification(clientDecider)
const expired = { ...a.context, standing: 'trial-ended' as const }
const connect = {
  type: 'ConnectSocialAccount',
  accountId: a.accountId,
  remoteId: 'page-1',
  network: 'sandbox',
  endsAt: null,
} as const
const later = '2026-05-01T10:00:00.000Z'
const lose = {
  type: 'RecordConnectionLost',
  accountId: a.accountId,
  remoteId: 'page-1',
  cause: 'The password was changed.',
} as const
const pausedByMistake: ClientEvent = {
  type: 'SocialAccountPaused',
  data: { accountId: a.accountId, platform: 'facebook', until: '2027-03-02T10:15:00.000Z', cause: 'Too many posts.' },
}
const pauseAccount = {
  type: 'PauseSocialAccount',
  accountId: a.accountId,
  until: '2026-03-02T10:15:00.000Z',
  cause: 'Too many posts.',
} as const
const rename = {
  type: 'RenameSocialAccount',
  accountId: a.accountId,
  accountName: 'Blue Cup Berlin',
  accountUrl: null,
} as const
const remove = { type: 'RemoveSocialAccount', accountId: a.accountId, isNamed: false } as const
const otherAdded: ClientEvent = {
  type: 'SocialAccountAdded',
  data: { accountId: 'other', platform: 'facebook', accountName: 'Other', accountUrl: null },
}
const disconnect = { type: 'DisconnectSocialAccount', accountId: a.accountId, because: 'asked' } as const

interface Row {
  readonly name: string
  readonly past: readonly ClientEvent[]
  readonly command: ClientCommand
  readonly event: ClientEvent['type']
}
const { scheduleId, accountId } = a
const fail = {
  type: 'RecordPlanningFailed',
  scheduleId,
  revision: 0,
  slot: a.slot,
  cause: 'The writer took too long to answer. Please try again.',
} as const
const revise = { type: 'RevisePostingSchedule', scheduleId, ...a.rules, postsPerWeek: 5 } as const
const resume = { type: 'ResumePostingSchedule', scheduleId } as const
const happens: readonly Row[] = [
  { name: 'an account is added', past: [], command: a.addAccount, event: 'SocialAccountAdded' },
  { name: 'an account is connected', past: [a.added], command: connect, event: 'SocialAccountConnected' },
  {
    name: 'another profile is connected',
    past: [a.added, a.connected],
    command: { ...connect, remoteId: 'page-2' },
    event: 'SocialAccountConnected',
  },
  {
    name: 'an account is connected again, for longer',
    past: [a.added, a.connected],
    command: { ...connect, endsAt: later },
    event: 'SocialAccountConnected',
  },
  {
    name: 'a lost account is connected again',
    past: [a.added, a.connected, a.lost],
    command: connect,
    event: 'SocialAccountConnected',
  },
  {
    name: 'an account never connected is renamed',
    past: [a.added],
    command: rename,
    event: 'SocialAccountRenamed',
  },
  {
    name: 'a connection is renewed',
    past: [a.added, a.connected],
    command: { type: 'RecordConnectionRenewed', accountId, endsAt: later },
    event: 'SocialAccountConnectionRenewed',
  },
  { name: 'a connection is lost', past: [a.added, a.connected], command: lose, event: 'SocialAccountConnectionLost' },
  { name: 'an account is paused', past: [a.added, a.connected], command: pauseAccount, event: 'SocialAccountPaused' },
  {
    name: 'an account is paused for longer',
    past: [a.added, a.connected, a.resting],
    command: { ...pauseAccount, until: later },
    event: 'SocialAccountPaused',
  },
  {
    name: 'an account is paused after a pause that only a clock that ran ahead can have noted',
    past: [a.added, a.connected, pausedByMistake],
    command: pauseAccount,
    event: 'SocialAccountPaused',
  },
  {
    name: 'an account is disconnected',
    past: [a.added, a.connected],
    command: disconnect,
    event: 'SocialAccountDisconnected',
  },
  {
    name: 'a lost account is disconnected',
    past: [a.added, a.connected, a.lost],
    command: disconnect,
    event: 'SocialAccountDisconnected',
  },
  {
    name: 'a schedule is added',
    past: [a.added],
    command: { type: 'AddPostingSchedule', scheduleId, accountId, ...a.rules },
    event: 'PostingScheduleAdded',
  },
  {
    name: 'a schedule is revised',
    past: [a.added, a.scheduleAdded],
    command: { type: 'RevisePostingSchedule', scheduleId, ...a.rules, postsPerWeek: 5 },
    event: 'PostingScheduleRevised',
  },
  {
    name: 'a schedule is paused',
    past: [a.added, a.scheduleAdded],
    command: { type: 'PausePostingSchedule', scheduleId },
    event: 'PostingSchedulePaused',
  },
  {
    name: 'a schedule is resumed',
    past: [a.added, a.scheduleAdded, a.paused],
    command: { type: 'ResumePostingSchedule', scheduleId },
    event: 'PostingScheduleResumed',
  },
  {
    name: 'a schedule is removed',
    past: [a.added, a.scheduleAdded],
    command: { type: 'RemovePostingSchedule', scheduleId },
    event: 'PostingScheduleRemoved',
  },
  { name: 'the post of a slot fails', past: [a.added, a.scheduleAdded], command: fail, event: 'PostPlanningFailed' },
  {
    name: 'the post of a slot fails for another reason',
    past: [a.added, a.scheduleAdded, a.planningFailed],
    command: { ...fail, cause: 'Too many texts.' },
    event: 'PostPlanningFailed',
  },
  {
    name: 'the post of a slot is tried again',
    past: [a.added, a.scheduleAdded, a.planningFailed],
    command: { type: 'RetryPlanning', scheduleId, slot: a.slot },
    event: 'PostPlanningRetried',
  },
]

describe.each(happens)('$name', ({ past, command, event }) => {
  it('appends its event [3.13]', () => {
    expect(
      given(...past)
        .when(command, a.context)
        .events.map(({ type }) => type),
    ).toEqual([event])
  })
  it('a repeat appends nothing', () => {
    expect(
      given(...past)
        .when(command, a.context)
        .again(),
    ).toEqual([])
  })
  // A removed client's schedules are removed, like its accounts.
  const isGoodbye = command.type === 'RemovePostingSchedule'
  it(isGoodbye ? 'also for a client that is gone' : 'not for a client that is gone', () => {
    expect(given(...past).when(command, { ...a.context, onRoster: false }).reason).toBe(
      isGoodbye ? undefined : 'client-unknown',
    )
  })
})

describe('refusals', () => {
  it.each<[string, readonly ClientEvent[], ClientCommand, string]>([
    ['connecting an unknown account', [], connect, 'account-unknown'],
    ['disconnecting an unknown account', [], disconnect, 'account-unknown'],
    ['renaming an unknown account', [], rename, 'account-unknown'],
    ['renaming an account that was connected', [a.added, a.connected], rename, 'account-was-connected'],
    [
      'renaming an account to the name of another',
      [a.added, otherAdded],
      { ...rename, accountName: 'Other' },
      'account-listed-twice',
    ],
    ['removing an account that was connected', [a.added, a.connected], remove, 'account-was-connected'],
    ['removing an account that a post names', [a.added], { ...remove, isNamed: true }, 'account-in-use'],
    ['removing an account that has a schedule', [a.added, a.scheduleAdded], remove, 'account-in-use'],
    ['listing an account twice', [a.added], { ...a.addAccount, accountId: 'other' }, 'account-listed-twice'],
    ['an id that is used', [a.added], { ...a.addAccount, accountName: 'Other' }, 'id-taken'],
    [
      'a schedule of an unknown account',
      [],
      { type: 'AddPostingSchedule', scheduleId, accountId, ...a.rules },
      'account-unknown',
    ],
    ['revising an unknown schedule', [], { type: 'RevisePostingSchedule', scheduleId, ...a.rules }, 'schedule-unknown'],
    [
      'a second schedule of an account',
      [a.added, a.scheduleAdded],
      { type: 'AddPostingSchedule', scheduleId: 'other', accountId, ...a.rules },
      'account-has-a-schedule',
    ],
    [
      'trying a slot of an unknown schedule again',
      [],
      { type: 'RetryPlanning', scheduleId, slot: a.slot },
      'schedule-unknown',
    ],
    [
      'revising rules that changed since they were seen',
      [a.added, a.scheduleAdded],
      { ...revise, ifRevision: 1 },
      'stale-revision',
    ],
    [
      'pausing a schedule that changed since it was seen',
      [a.added, a.scheduleAdded],
      { type: 'PausePostingSchedule', scheduleId, ifRevision: 1 },
      'stale-revision',
    ],
    [
      'resuming a schedule that changed since it was seen',
      [a.added, a.scheduleAdded, a.paused],
      { ...resume, ifRevision: 1 },
      'stale-revision',
    ],
    ['pausing an unknown schedule', [], { type: 'PausePostingSchedule', scheduleId }, 'schedule-unknown'],
    ['removing an unknown schedule', [], { type: 'RemovePostingSchedule', scheduleId }, 'schedule-unknown'],
  ])('%s', (_, past, command, reason) => {
    expect(given(...past).when(command, a.context).reason).toBe(reason)
  })
  it.each<[string, readonly ClientEvent[], ClientCommand]>([
    ['adding a schedule', [a.added], { type: 'AddPostingSchedule', scheduleId, accountId, ...a.rules }],
    ['revising a schedule', [a.added, a.scheduleAdded], revise],
    ['resuming a schedule', [a.added, a.scheduleAdded, a.paused], resume],
    [
      'trying a slot again',
      [a.added, a.scheduleAdded, a.planningFailed],
      { type: 'RetryPlanning', scheduleId, slot: a.slot },
    ],
  ])('%s after the trial has ended', (_, past, command) => {
    expect(given(...past).when(command, expired).reason).toBe('subscription-needed')
  })
})

it('An account never connected is removed, and its name is free again', () => {
  const { events, state } = given(a.added).when(remove, a.context)
  expect(events.map(({ type }) => type)).toEqual(['SocialAccountRemoved'])
  expect(state.accounts).toEqual({})
  expect(given(a.added, ...events).when(remove, a.context)).toMatchObject({ events: [], refused: undefined })
  expect(given(a.added, ...events).when({ ...a.addAccount, accountId: 'other' }, a.context).events).toHaveLength(1)
})

it('An account keeps its name and its profile after a disconnect', () => {
  const { state } = given(a.added, a.connected).when(disconnect, a.context)
  expect(state.accounts[accountId]).toMatchObject({
    accountName: 'Blue Cup Coffee',
    isConnected: false,
    remoteId: 'page-1',
  })
})

it('An update of a connection that has already ended appends nothing', () => {
  for (const command of [lose, pauseAccount, { type: 'RecordConnectionRenewed', accountId, endsAt: later } as const]) {
    expect(given(a.added, a.connected, a.lost).when(command, a.context).events).toEqual([])
  }
})

it('The loss of a profile that has been replaced appends nothing', () => {
  expect(given(a.added, a.connected).when({ ...lose, remoteId: 'page-0' }, a.context).events).toEqual([])
})

it('A new connection ends a pause', () => {
  const { state } = given(a.added, a.connected, a.resting).when({ ...connect, endsAt: later }, a.context)
  expect(state.accounts[accountId]).toMatchObject({ isConnected: true, pausedUntil: null, endsAt: later })
})

it('The accounts of a removed client can be disconnected', () => {
  const goodbye = { ...disconnect, because: 'client-removed' } as const
  expect(given(a.added, a.connected).when(goodbye, { ...a.context, onRoster: false }).events).toHaveLength(1)
})

describe('a posting schedule', () => {
  const { type: _, ...revised } = revise
  const changed: ClientEvent = { type: 'PostingScheduleRevised', data: { accountId, ...revised } }

  it('counts the changes of its rules, and clears earlier failures', () => {
    const { state } = given(a.added, a.scheduleAdded, a.planningFailed).when(revise, a.context)
    expect(state.schedules[scheduleId]).toMatchObject({ revision: 1, postsPerWeek: 5, failures: {} })
  })
  it('that was changed since still accepts a repeat of the request that added it', () => {
    const add = { type: 'AddPostingSchedule', scheduleId, accountId, ...a.rules } as const
    expect(given(a.added, a.scheduleAdded, changed).when(add, a.context)).toMatchObject({
      events: [],
      refused: undefined,
    })
    expect(given(a.added, a.scheduleAdded, changed).when({ ...add, postsPerWeek: 5 }, a.context).reason).toBe(
      'id-taken',
    )
  })
  it('can be paused and removed after the trial has ended', () => {
    expect(
      given(a.added, a.scheduleAdded).when({ type: 'PausePostingSchedule', scheduleId }, expired).events,
    ).toHaveLength(1)
    expect(
      given(a.added, a.scheduleAdded).when({ type: 'RemovePostingSchedule', scheduleId }, expired).events,
    ).toHaveLength(1)
  })
  it('ignores a failure for a slot of earlier rules, or after its removal', () => {
    const removed: ClientEvent = { type: 'PostingScheduleRemoved', data: { scheduleId, accountId } }
    for (const last of [changed, removed]) {
      expect(given(a.added, a.scheduleAdded, last).when(fail, a.context)).toMatchObject({
        events: [],
        refused: undefined,
      })
    }
  })
  it('drops the failures of slots that are long past', () => {
    const later = { ...fail, slot: '2026-06-09T09:00:00.000Z' }
    const { state } = given(a.added, a.scheduleAdded, a.planningFailed).when(later, a.context)
    expect(Object.keys(state.schedules[scheduleId]?.failures ?? {})).toEqual([later.slot])
  })
  it('can be replaced by another one of its account when it is removed', () => {
    const removed: ClientEvent = { type: 'PostingScheduleRemoved', data: { scheduleId, accountId } }
    const again = { type: 'AddPostingSchedule', scheduleId: 'other', accountId, ...a.rules } as const
    expect(given(a.added, a.scheduleAdded, removed).when(again, a.context).events).toHaveLength(1)
  })
})

describe('An approval policy', () => {
  const set = { type: 'SetApprovalPolicy', policy: a.policy } as const
  const context = { ...a.context, approvers: [a.ada] }

  it('is set, and appends nothing when it is set again', () => {
    const first = given().when(set, context)
    expect(first.events).toEqual([{ type: 'ApprovalPolicySet', data: a.policy }])
    expect(first.again()).toEqual([])
  })
  it('without steps is none', () => {
    const none = { type: 'SetApprovalPolicy', policy: noApprovalPolicy } as const
    expect(given().when(none, context).events).toEqual([])
    const { events, state } = given({ type: 'ApprovalPolicySet', data: a.policy }).when(none, context)
    expect(events).toHaveLength(1)
    expect(state.approvalPolicy).toBeUndefined()
  })
  it('names only members who approve posts of the client; one who has left since stays', () => {
    expect(given().when(set, a.context).reason).toBe('approver-unfit')
    const renamed = { ...a.policy, ownApproval: 'agency' } as const
    const past: ClientEvent = { type: 'ApprovalPolicySet', data: a.policy }
    expect(given(past).when({ ...set, policy: renamed }, a.context).events).toHaveLength(1)
  })
  it('has an id for each step', () => {
    const [step] = a.policy.steps
    const steps = step ? [step, step] : []
    expect(given().when({ ...set, policy: { ...a.policy, steps } }, context).reason).toBe('step-id-twice')
  })
  it('is refused for a removed client', () => {
    expect(given().when(set, { ...context, onRoster: false }).reason).toBe('client-unknown')
  })
})

describe('A contact of a client', () => {
  const add = { type: 'AddClientContact', contactId: a.contactId } as const
  const remove = { type: 'RemoveClientContact', contactId: a.contactId } as const

  it('is added and removed, and appends nothing when repeated', () => {
    const added = given().when(add, a.context)
    expect(added.events).toEqual([{ type: 'ClientContactAdded', data: { contactId: a.contactId } }])
    expect(added.state.contacts).toEqual([a.contactId])
    expect(added.again()).toEqual([])
    const removed = given(...added.events).when(remove, a.context)
    expect(removed.state.contacts).toBeUndefined()
    expect(removed.again()).toEqual([])
  })
  it('is one of twenty at most', () => {
    const ids = Array.from({ length: 20 }, (_, index) => `contact-${index}`)
    const past = ids.map((contactId): ClientEvent => ({ type: 'ClientContactAdded', data: { contactId } }))
    expect(given(...past).when(add, a.context).reason).toBe('contact-limit-reached')
    expect(given(...past.slice(1)).when(add, a.context).events).toHaveLength(1)
  })
  it('is not added to a removed client', () => {
    expect(given().when(add, { ...a.context, onRoster: false }).reason).toBe('client-unknown')
  })
})

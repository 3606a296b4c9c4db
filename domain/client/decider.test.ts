import { describe, expect, it } from 'vitest'
import { specification } from '../core/spec.ts'
import type { ClientCommand } from './commands.ts'
import { clientDecider } from './decider.ts'
import type { ClientEvent } from './events.ts'
import * as a from './examples.ts'

const { given } = specification(clientDecider)
const expired = { ...a.given, standing: 'trial-ended' as const }
const connect = { type: 'ConnectSocialAccount', accountId: a.accountId, remoteId: 'page-1', network: 'sandbox', endsAt: null } as const
const later = '2026-05-01T10:00:00.000Z'
const lose = { type: 'RecordConnectionLost', accountId: a.accountId, remoteId: 'page-1', cause: 'The password was changed.' } as const
const pauseAccount = { type: 'PauseSocialAccount', accountId: a.accountId, until: '2026-03-02T10:15:00.000Z', cause: 'Too many posts.' } as const
const disconnect = { type: 'DisconnectSocialAccount', accountId: a.accountId, because: 'asked' } as const

interface Row {
  readonly name: string
  readonly past: readonly ClientEvent[]
  readonly command: ClientCommand
  readonly event: ClientEvent['type']
}
const { scheduleId, accountId } = a
const happens: readonly Row[] = [
  { name: 'an account is added', past: [], command: a.addAccount, event: 'SocialAccountAdded' },
  { name: 'an account is connected', past: [a.added], command: connect, event: 'SocialAccountConnected' },
  { name: 'another profile is connected', past: [a.added, a.connected], command: { ...connect, remoteId: 'page-2' }, event: 'SocialAccountConnected' },
  { name: 'an account is connected again, for longer', past: [a.added, a.connected], command: { ...connect, endsAt: later }, event: 'SocialAccountConnected' },
  { name: 'a lost account is connected again', past: [a.added, a.connected, a.lost], command: connect, event: 'SocialAccountConnected' },
  { name: 'a connection is renewed', past: [a.added, a.connected], command: { type: 'RecordConnectionRenewed', accountId, endsAt: later }, event: 'SocialAccountConnectionRenewed' },
  { name: 'a connection is lost', past: [a.added, a.connected], command: lose, event: 'SocialAccountConnectionLost' },
  { name: 'an account is paused', past: [a.added, a.connected], command: pauseAccount, event: 'SocialAccountPaused' },
  { name: 'an account is paused for longer', past: [a.added, a.connected, a.resting], command: { ...pauseAccount, until: later }, event: 'SocialAccountPaused' },
  { name: 'an account is disconnected', past: [a.added, a.connected], command: disconnect, event: 'SocialAccountDisconnected' },
  { name: 'a lost account is disconnected', past: [a.added, a.connected, a.lost], command: disconnect, event: 'SocialAccountDisconnected' },
  { name: 'a schedule is added', past: [a.added], command: { type: 'AddPostingSchedule', scheduleId, accountId, ...a.rules }, event: 'PostingScheduleAdded' },
  { name: 'a schedule is revised', past: [a.added, a.scheduleAdded], command: { type: 'RevisePostingSchedule', scheduleId, ...a.rules, postsPerWeek: 5 }, event: 'PostingScheduleRevised' },
  { name: 'a schedule is paused', past: [a.added, a.scheduleAdded], command: { type: 'PausePostingSchedule', scheduleId }, event: 'PostingSchedulePaused' },
  { name: 'a schedule is resumed', past: [a.added, a.scheduleAdded, a.paused], command: { type: 'ResumePostingSchedule', scheduleId }, event: 'PostingScheduleResumed' },
  { name: 'a schedule is removed', past: [a.added, a.scheduleAdded], command: { type: 'RemovePostingSchedule', scheduleId }, event: 'PostingScheduleRemoved' },
  { name: 'a text is generated', past: [], command: { type: 'RecordGeneration', ...a.generation }, event: 'ContentGenerated' },
]

describe.each(happens)('$name', ({ past, command, event }) => {
  it('as an event', () => {
    expect(given(...past).when(command, a.given).events.map(({ type }) => type)).toEqual([event])
  })
  it('once: a repeat appends nothing', () => {
    expect(given(...past).when(command, a.given).again()).toEqual([])
  })
  it('not for a client that is gone', () => {
    expect(given(...past).when(command, { ...a.given, onRoster: false }).reason).toBe('client-unknown')
  })
})

describe('refusals', () => {
  it.each<[string, readonly ClientEvent[], ClientCommand, string]>([
    ['connecting an unknown account', [], connect, 'account-unknown'],
    ['disconnecting an unknown account', [], disconnect, 'account-unknown'],
    ['listing an account twice', [a.added], { ...a.addAccount, accountId: 'other' }, 'account-listed-twice'],
    ['an id that is used', [a.added], { ...a.addAccount, accountName: 'Other' }, 'id-taken'],
    ['a schedule of an unknown account', [], { type: 'AddPostingSchedule', scheduleId, accountId, ...a.rules }, 'account-unknown'],
    ['revising an unknown schedule', [], { type: 'RevisePostingSchedule', scheduleId, ...a.rules }, 'schedule-unknown'],
    ['pausing an unknown schedule', [], { type: 'PausePostingSchedule', scheduleId }, 'schedule-unknown'],
    ['removing an unknown schedule', [], { type: 'RemovePostingSchedule', scheduleId }, 'schedule-unknown'],
  ])('%s', (_, past, command, reason) => {
    expect(given(...past).when(command, a.given).reason).toBe(reason)
  })
  it.each<[string, readonly ClientEvent[], ClientCommand]>([
    ['generating', [], { type: 'RecordGeneration', ...a.generation }],
    ['adding a schedule', [a.added], { type: 'AddPostingSchedule', scheduleId, accountId, ...a.rules }],
  ])('%s after the trial has ended', (_, past, command) => {
    expect(given(...past).when(command, expired).reason).toBe('subscription-needed')
  })
})

it('an account keeps its name and its profile after a disconnect', () => {
  const { state } = given(a.added, a.connected).when(disconnect, a.given)
  expect(state.accounts[accountId]).toMatchObject({ accountName: 'Blue Cup Coffee', isConnected: false, remoteId: 'page-1' })
})

it('a connection that is over has no news', () => {
  for (const command of [lose, pauseAccount, { type: 'RecordConnectionRenewed', accountId, endsAt: later } as const]) {
    expect(given(a.added, a.connected, a.lost).when(command, a.given).events).toEqual([])
  }
})

it('a profile that was replaced meanwhile is not lost', () => {
  expect(given(a.added, a.connected).when({ ...lose, remoteId: 'page-0' }, a.given).events).toEqual([])
})

it('a new connection ends a pause', () => {
  const { state } = given(a.added, a.connected, a.resting).when({ ...connect, endsAt: later }, a.given)
  expect(state.accounts[accountId]).toMatchObject({ isConnected: true, pausedUntil: null, endsAt: later })
})

it('a removed client says goodbye to its accounts', () => {
  const goodbye = { ...disconnect, because: 'client-removed' } as const
  expect(given(a.added, a.connected).when(goodbye, { ...a.given, onRoster: false }).events).toHaveLength(1)
})

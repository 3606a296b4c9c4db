/** One client's social accounts, posting schedules and generated texts; opened on first use. */
import { refuse, type Decider } from '../core/decider.ts'
import type { Instant } from '../core/event.ts'
import type { Platform, Standing } from '../core/values.ts'
import { accountLimit, type ClientCommand, type ScheduleRules } from './commands.ts'
import type { ClientEvent } from './events.ts'
import { remembered, type RememberedText } from './generations.ts'

export interface SocialAccount {
  readonly platform: Platform
  readonly accountName: string
  readonly accountUrl: string | null
  readonly isConnected: boolean
  /** What it was last connected to: the sandbox, or the network itself. */
  readonly network: 'sandbox' | 'live' | null
  /** The connection broke, and nobody has connected or disconnected it since. */
  readonly isLost: boolean
  /** The last profile it was connected to; kept after a disconnect. */
  readonly remoteId: string | null
  /** When a person has to connect it again at the latest; null: not foreseeable. */
  readonly endsAt: Instant | null
  /** The network asked for a rest until then. */
  readonly pausedUntil: Instant | null
  /** Said goodbye to, because its client was removed. */
  readonly isRemoved: boolean
}

export interface PostingSchedule extends ScheduleRules {
  readonly accountId: string
  readonly isActive: boolean
}

export interface Client {
  readonly accounts: Readonly<Record<string, SocialAccount>>
  readonly schedules: Readonly<Record<string, PostingSchedule>>
  readonly removedSchedules: readonly string[]
  readonly generations: Readonly<Record<string, RememberedText>>
}

export interface ClientGiven {
  readonly now: Instant
  readonly standing: Standing
  /** Whether the agency's roster has the client. */
  readonly onRoster: boolean
}

export type ClientRefusal =
  | { readonly reason: 'client-unknown' }
  | { readonly reason: 'account-unknown' }
  | { readonly reason: 'account-limit-reached'; readonly limit: number }
  | { readonly reason: 'account-listed-twice'; readonly accountName: string }
  | { readonly reason: 'schedule-unknown' }
  | { readonly reason: 'id-taken' }
  | { readonly reason: 'subscription-needed'; readonly standing: Exclude<Standing, 'good'> }

const initial: Client = { accounts: {}, schedules: {}, removedSchedules: [], generations: {} }

type Decision = ReturnType<Decider<Client, ClientCommand, ClientEvent, ClientRefusal, ClientGiven>['decide']>
type Of<Type extends ClientCommand['type']> = Extract<ClientCommand, { type: Type }>

function decide(client: Client, command: ClientCommand, given: ClientGiven): Decision {
  const goodbye = command.type === 'DisconnectSocialAccount' && command.because === 'client-removed'
  if (!given.onRoster && !goodbye) return refuse({ reason: 'client-unknown' })
  switch (command.type) {
    case 'AddSocialAccount':
      return addAccount(client, command)
    case 'ConnectSocialAccount': {
      const account = client.accounts[command.accountId]
      if (!account) return refuse({ reason: 'account-unknown' })
      const { accountId, remoteId, network, endsAt } = command
      if (account.isConnected && account.remoteId === remoteId && account.network === network && account.endsAt === endsAt) return []
      return [{ type: 'SocialAccountConnected', data: { accountId, platform: account.platform, remoteId, network, endsAt } }]
    }
    case 'RecordConnectionRenewed':
    case 'RecordConnectionLost':
    case 'PauseSocialAccount':
      return tend(client, command)
    case 'DisconnectSocialAccount': {
      const account = client.accounts[command.accountId]
      if (!account) return refuse({ reason: 'account-unknown' })
      // A removed client's account leaves even if it never was connected, so that whoever lists accounts hears of it.
      if (!account.isConnected && !account.isLost && (!goodbye || account.isRemoved)) return []
      const { accountId, because } = command
      return [{ type: 'SocialAccountDisconnected', data: { accountId, platform: account.platform, because } }]
    }
    case 'AddPostingSchedule':
      return addSchedule(client, command, given)
    case 'RevisePostingSchedule': {
      const schedule = client.schedules[command.scheduleId]
      if (!schedule) return refuse({ reason: 'schedule-unknown' })
      if (sameRules(schedule, command)) return []
      const { scheduleId } = command
      const data = { scheduleId, accountId: schedule.accountId, ...rulesOf(command) }
      return [{ type: 'PostingScheduleRevised', data }]
    }
    case 'PausePostingSchedule':
      return switchSchedule(client, command.scheduleId, false)
    case 'ResumePostingSchedule':
      return switchSchedule(client, command.scheduleId, true)
    case 'RemovePostingSchedule': {
      const { scheduleId } = command
      const schedule = client.schedules[scheduleId]
      if (!schedule) return client.removedSchedules.includes(scheduleId) ? [] : refuse({ reason: 'schedule-unknown' })
      return [{ type: 'PostingScheduleRemoved', data: { scheduleId, accountId: schedule.accountId } }]
    }
    case 'RecordGeneration': {
      const { type: _, ...data } = command
      if (client.generations[command.generationId]) return []
      if (given.standing !== 'good') return refuse({ reason: 'subscription-needed', standing: given.standing })
      return [{ type: 'ContentGenerated', data }]
    }
  }
}

/** What becomes of a connection between a person's connecting and disconnecting it. */
function tend(client: Client, command: Of<'RecordConnectionRenewed' | 'RecordConnectionLost' | 'PauseSocialAccount'>): Decision {
  const { accountId } = command
  const account = client.accounts[accountId]
  if (!account) return refuse({ reason: 'account-unknown' })
  // News of a connection that is over by now.
  if (!account.isConnected) return []
  const { platform } = account
  switch (command.type) {
    case 'RecordConnectionRenewed': {
      const { endsAt } = command
      return account.endsAt === endsAt ? [] : [{ type: 'SocialAccountConnectionRenewed', data: { accountId, platform, endsAt } }]
    }
    case 'RecordConnectionLost': {
      const { remoteId, cause } = command
      return account.remoteId === remoteId ? [{ type: 'SocialAccountConnectionLost', data: { accountId, platform, cause } }] : []
    }
    case 'PauseSocialAccount': {
      const { until, cause } = command
      if (account.pausedUntil !== null && account.pausedUntil >= until) return []
      return [{ type: 'SocialAccountPaused', data: { accountId, platform, until, cause } }]
    }
  }
}

function addAccount(client: Client, { accountId, platform, accountName, accountUrl }: Of<'AddSocialAccount'>): Decision {
  const known = client.accounts[accountId]
  if (known) {
    const same = known.platform === platform && known.accountName === accountName && known.accountUrl === accountUrl
    return same ? [] : refuse({ reason: 'id-taken' })
  }
  const accounts = Object.values(client.accounts)
  if (accounts.some((other) => other.platform === platform && other.accountName === accountName)) {
    return refuse({ reason: 'account-listed-twice', accountName })
  }
  if (accounts.length >= accountLimit) return refuse({ reason: 'account-limit-reached', limit: accountLimit })
  return [{ type: 'SocialAccountAdded', data: { accountId, platform, accountName, accountUrl } }]
}

function addSchedule(client: Client, command: Of<'AddPostingSchedule'>, given: ClientGiven): Decision {
  const { scheduleId, accountId } = command
  const known = client.schedules[scheduleId]
  if (known) return known.accountId === accountId && sameRules(known, command) ? [] : refuse({ reason: 'id-taken' })
  if (client.removedSchedules.includes(scheduleId)) return refuse({ reason: 'id-taken' })
  if (!client.accounts[accountId]) return refuse({ reason: 'account-unknown' })
  if (given.standing !== 'good') return refuse({ reason: 'subscription-needed', standing: given.standing })
  return [{ type: 'PostingScheduleAdded', data: { scheduleId, accountId, ...rulesOf(command) } }]
}

function switchSchedule(client: Client, scheduleId: string, on: boolean): Decision {
  const schedule = client.schedules[scheduleId]
  if (!schedule) return refuse({ reason: 'schedule-unknown' })
  if (schedule.isActive === on) return []
  const data = { scheduleId, accountId: schedule.accountId }
  return [on ? { type: 'PostingScheduleResumed', data } : { type: 'PostingSchedulePaused', data }]
}

const rulesOf = ({ frequency, postsPerWeek, preferredTimes, contentTopics }: ScheduleRules): ScheduleRules => ({
  frequency,
  postsPerWeek,
  preferredTimes: preferredTimes.map(({ day, time }) => ({ day, time })),
  contentTopics: [...contentTopics],
})
const sameRules = (a: ScheduleRules, b: ScheduleRules) => JSON.stringify(rulesOf(a)) === JSON.stringify(rulesOf(b))

function evolve(client: Client, event: ClientEvent): Client {
  switch (event.type) {
    case 'SocialAccountAdded': {
      const { accountId, ...rest } = event.data
      return withAccount(client, accountId, {
        ...rest,
        isConnected: false,
        network: null,
        isLost: false,
        remoteId: null,
        endsAt: null,
        pausedUntil: null,
        isRemoved: false,
      })
    }
    case 'SocialAccountConnected':
      return changeAccount(client, event.data.accountId, {
        isConnected: true,
        network: event.data.network,
        isLost: false,
        remoteId: event.data.remoteId,
        endsAt: event.data.endsAt ?? null,
        pausedUntil: null,
      })
    case 'SocialAccountConnectionRenewed':
      return changeAccount(client, event.data.accountId, { endsAt: event.data.endsAt })
    case 'SocialAccountConnectionLost':
      return changeAccount(client, event.data.accountId, { isConnected: false, isLost: true, endsAt: null })
    case 'SocialAccountPaused':
      return changeAccount(client, event.data.accountId, { pausedUntil: event.data.until })
    case 'SocialAccountDisconnected':
      return changeAccount(client, event.data.accountId, {
        isConnected: false,
        isLost: false,
        isRemoved: event.data.because === 'client-removed',
      })
    case 'PostingScheduleAdded': {
      const { scheduleId, ...rest } = event.data
      return withSchedule(client, scheduleId, { ...rest, isActive: true })
    }
    case 'PostingScheduleRevised': {
      const { scheduleId, ...rest } = event.data
      return changeSchedule(client, scheduleId, rest)
    }
    case 'PostingSchedulePaused':
      return changeSchedule(client, event.data.scheduleId, { isActive: false })
    case 'PostingScheduleResumed':
      return changeSchedule(client, event.data.scheduleId, { isActive: true })
    case 'PostingScheduleRemoved': {
      const { [event.data.scheduleId]: _gone, ...schedules } = client.schedules
      return { ...client, schedules, removedSchedules: [...client.removedSchedules, event.data.scheduleId] }
    }
    case 'ContentGenerated':
      return { ...client, generations: { ...client.generations, [event.data.generationId]: remembered(event.data) } }
  }
}

const withAccount = (client: Client, id: string, account: SocialAccount): Client => ({
  ...client,
  accounts: { ...client.accounts, [id]: account },
})
const changeAccount = (client: Client, id: string, change: Partial<SocialAccount>): Client => {
  const account = client.accounts[id]
  return account ? withAccount(client, id, { ...account, ...change }) : client
}
const withSchedule = (client: Client, id: string, schedule: PostingSchedule): Client => ({
  ...client,
  schedules: { ...client.schedules, [id]: schedule },
})
const changeSchedule = (client: Client, id: string, change: Partial<PostingSchedule>): Client => {
  const schedule = client.schedules[id]
  return schedule ? withSchedule(client, id, { ...schedule, ...change }) : client
}

export const clientDecider: Decider<Client, ClientCommand, ClientEvent, ClientRefusal, ClientGiven> = {
  initial,
  decide,
  evolve,
}

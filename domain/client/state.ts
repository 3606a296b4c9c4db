/** The state of a client, folded from its stream. */
import type { ApprovalPolicy } from '../core/approval-policy.ts'
import type { Approver } from '../core/approval-round.ts'
import type { Instant } from '../core/event.ts'
import { UsedIds } from '../core/used-ids.ts'
import type { Platform, Standing } from '../core/values.ts'
import type { ClientEvent } from './events.ts'
import { OlderGenerations } from './older-generations.ts'
import { evolveSchedules, type PostingSchedule } from './schedule-state.ts'

export interface SocialAccount {
  readonly platform: Platform
  readonly accountName: string
  readonly accountUrl: string | null
  readonly isConnected: boolean
  /** What it was last connected to: the sandbox or the real network. */
  readonly network: 'sandbox' | 'live' | null
  /** The connection was lost, and no user has connected or disconnected it since. */
  readonly isLost: boolean
  /** The last connected profile; kept after a disconnect. */
  readonly remoteId: string | null
  /** The latest time by which a user has to connect it again; null: unknown. */
  readonly endsAt: Instant | null
  /** The network asked for a pause until then. */
  readonly pausedUntil: Instant | null
  /** Disconnected because its client was removed. */
  readonly isRemoved: boolean
}

export interface Client {
  readonly accounts: Readonly<Record<string, SocialAccount>>
  readonly schedules: Readonly<Record<string, PostingSchedule>>
  readonly removedSchedules: UsedIds
  /** Of older logs only: newer texts have streams of their own. */
  readonly generations: OlderGenerations
  /** Absent: posts of the client are approved at once. */
  readonly approvalPolicy?: ApprovalPolicy
  /** The ids of the client's people who may be asked for review, at most 20; absent: none. */
  readonly contacts?: readonly string[]
}

export interface ClientContext {
  readonly now: Instant
  readonly standing: Standing
  /** Whether the agency has the client. */
  readonly onRoster: boolean
  /** The members who approve the client's posts. */
  readonly approvers: readonly Approver[]
}

export type ClientRefusal =
  | { readonly reason: 'client-unknown' }
  | { readonly reason: 'account-unknown' }
  | { readonly reason: 'account-limit-reached'; readonly limit: number }
  | { readonly reason: 'account-listed-twice'; readonly accountName: string }
  | { readonly reason: 'account-was-connected' }
  | { readonly reason: 'account-in-use' }
  | { readonly reason: 'schedule-unknown' }
  | { readonly reason: 'account-has-a-schedule' }
  | { readonly reason: 'contact-limit-reached'; readonly limit: number }
  | { readonly reason: 'approver-unfit' }
  | { readonly reason: 'step-id-twice' }
  | { readonly reason: 'stale-revision' }
  | { readonly reason: 'id-taken' }
  | { readonly reason: 'subscription-needed'; readonly standing: Exclude<Standing, 'good'> }

export const initialClient: Client = {
  accounts: {},
  schedules: {},
  removedSchedules: UsedIds.none,
  generations: OlderGenerations.none,
}

export function evolveClient(client: Client, event: ClientEvent): Client {
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
    case 'SocialAccountRenamed': {
      const { accountId, accountName, accountUrl } = event.data
      return changeAccount(client, accountId, { accountName, accountUrl })
    }
    case 'SocialAccountRemoved': {
      const { [event.data.accountId]: _, ...accounts } = client.accounts
      return { ...client, accounts }
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
    case 'PostingScheduleAdded':
    case 'PostingScheduleRevised':
    case 'PostingSchedulePaused':
    case 'PostingScheduleResumed':
    case 'PostingScheduleRemoved':
    case 'PostPlanningFailed':
    case 'PostPlanningRetried':
      return { ...client, ...evolveSchedules(client, event) }
    case 'ApprovalPolicySet': {
      const { approvalPolicy: _, ...rest } = client
      return event.data.steps.length === 0 ? rest : { ...rest, approvalPolicy: event.data }
    }
    case 'ClientContactAdded':
      return { ...client, contacts: [...(client.contacts ?? []), event.data.contactId] }
    case 'ClientContactRemoved': {
      const { contacts: before = [], ...rest } = client
      const contacts = before.filter((id) => id !== event.data.contactId)
      return contacts.length === 0 ? rest : { ...rest, contacts }
    }
    case 'ContentGenerated':
      return { ...client, generations: client.generations.with(event.data) }
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

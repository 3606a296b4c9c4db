/** One client's social accounts and posting schedules; created on first use. */
import { isSamePolicy, noApprovalPolicy, type ApprovalStep } from '../core/approval-policy.ts'
import type { Platform } from '../core/values.ts'
import { refuse, type Decider } from '../core/decider.ts'
import { plausibleEnd } from '../core/waits.ts'
import { accountLimit, contactLimit, type ClientCommand } from './commands.ts'
import type { ClientEvent } from './events.ts'
import { decideSchedule } from './schedules.ts'
import { evolveClient, initialClient, type Client, type ClientContext, type ClientRefusal } from './state.ts'

type ClientDecider = Decider<Client, ClientCommand, ClientEvent, ClientRefusal, ClientContext>
type Decision = ReturnType<ClientDecider['decide']>
type Of<Type extends ClientCommand['type']> = Extract<ClientCommand, { type: Type }>

function decide(client: Client, command: ClientCommand, context: ClientContext): Decision {
  const goodbye = command.type === 'DisconnectSocialAccount' && command.because === 'client-removed'
  if (!context.onRoster && !goodbye && command.type !== 'RemovePostingSchedule')
    return refuse({ reason: 'client-unknown' })
  switch (command.type) {
    case 'AddSocialAccount':
      return addAccount(client, command)
    case 'RenameSocialAccount':
      return renameAccount(client, command)
    case 'RemoveSocialAccount':
      return removeAccount(client, command)
    case 'ConnectSocialAccount': {
      const account = client.accounts[command.accountId]
      if (!account) return refuse({ reason: 'account-unknown' })
      const { accountId, remoteId, network, endsAt } = command
      if (
        account.isConnected &&
        account.remoteId === remoteId &&
        account.network === network &&
        account.endsAt === endsAt
      )
        return []
      return [
        { type: 'SocialAccountConnected', data: { accountId, platform: account.platform, remoteId, network, endsAt } },
      ]
    }
    case 'RecordConnectionRenewed':
    case 'RecordConnectionLost':
    case 'PauseSocialAccount':
      return tend(client, command, context)
    case 'DisconnectSocialAccount': {
      const account = client.accounts[command.accountId]
      if (!account) return refuse({ reason: 'account-unknown' })
      // A removed client's account is disconnected even if it was never connected, so that lists of accounts drop it.
      if (!account.isConnected && !account.isLost && (!goodbye || account.isRemoved)) return []
      const { accountId, because } = command
      return [{ type: 'SocialAccountDisconnected', data: { accountId, platform: account.platform, because } }]
    }
    case 'AddPostingSchedule':
    case 'RevisePostingSchedule':
    case 'PausePostingSchedule':
    case 'ResumePostingSchedule':
    case 'RemovePostingSchedule':
    case 'RecordPlanningFailed':
    case 'RetryPlanning':
      return decideSchedule(client, command, context)
    case 'SetApprovalPolicy':
      return setPolicy(client, command, context)
    case 'AddClientContact':
      return addContact(client, command.contactId)
    case 'RemoveClientContact': {
      const { contactId } = command
      return client.contacts?.includes(contactId) ? [{ type: 'ClientContactRemoved', data: { contactId } }] : []
    }
  }
}

function setPolicy(client: Client, { policy }: Of<'SetApprovalPolicy'>, { approvers }: ClientContext): Decision {
  if (isSamePolicy(policy, client.approvalPolicy ?? noApprovalPolicy)) return []
  if (new Set(policy.steps.map(({ id }) => id)).size < policy.steps.length) return refuse({ reason: 'step-id-twice' })
  const isFit = (memberId: string) => approvers.some((approver) => approver.memberId === memberId)
  // A person who was chosen before and has left since stays: that step has no approver, and the policy shows it.
  const before = new Set(client.approvalPolicy?.steps.flatMap(membersOf))
  const added = policy.steps.flatMap(membersOf).filter((memberId) => !before.has(memberId))
  if (!added.every(isFit)) return refuse({ reason: 'approver-unfit' })
  return [{ type: 'ApprovalPolicySet', data: policy }]
}

const membersOf = ({ who }: ApprovalStep): readonly string[] => (who.kind === 'members' ? who.memberIds : [])

function addContact({ contacts = [] }: Client, contactId: string): Decision {
  if (contacts.includes(contactId)) return []
  if (contacts.length >= contactLimit) return refuse({ reason: 'contact-limit-reached', limit: contactLimit })
  return [{ type: 'ClientContactAdded', data: { contactId } }]
}

/** Updates of a connection between a user's connecting and disconnecting it. */
function tend(
  client: Client,
  command: Of<'RecordConnectionRenewed' | 'RecordConnectionLost' | 'PauseSocialAccount'>,
  { now }: ClientContext,
): Decision {
  const { accountId } = command
  const account = client.accounts[accountId]
  if (!account) return refuse({ reason: 'account-unknown' })
  // The update is about a connection that has already ended.
  if (!account.isConnected) return []
  const { platform } = account
  switch (command.type) {
    case 'RecordConnectionRenewed': {
      const { endsAt } = command
      return account.endsAt === endsAt
        ? []
        : [{ type: 'SocialAccountConnectionRenewed', data: { accountId, platform, endsAt } }]
    }
    case 'RecordConnectionLost': {
      const { remoteId, cause } = command
      return account.remoteId === remoteId
        ? [{ type: 'SocialAccountConnectionLost', data: { accountId, platform, cause } }]
        : []
    }
    case 'PauseSocialAccount': {
      const { until, cause } = command
      const known = plausibleEnd(account.pausedUntil, now)
      if (account.pausedUntil === until || (known !== null && known >= until)) return []
      return [{ type: 'SocialAccountPaused', data: { accountId, platform, until, cause } }]
    }
  }
}

function addAccount(
  client: Client,
  { accountId, platform, accountName, accountUrl }: Of<'AddSocialAccount'>,
): Decision {
  const known = client.accounts[accountId]
  if (known) {
    const same = known.platform === platform && known.accountName === accountName && known.accountUrl === accountUrl
    return same ? [] : refuse({ reason: 'id-taken' })
  }
  if (isListed(client, platform, accountName)) return refuse({ reason: 'account-listed-twice', accountName })
  if (Object.keys(client.accounts).length >= accountLimit)
    return refuse({ reason: 'account-limit-reached', limit: accountLimit })
  return [{ type: 'SocialAccountAdded', data: { accountId, platform, accountName, accountUrl } }]
}

/** A connected account has the name that its posts were published under, so only one never connected is renamed. */
function renameAccount(client: Client, { accountId, accountName, accountUrl }: Of<'RenameSocialAccount'>): Decision {
  const account = client.accounts[accountId]
  if (!account) return refuse({ reason: 'account-unknown' })
  if (account.remoteId !== null) return refuse({ reason: 'account-was-connected' })
  if (account.accountName === accountName && account.accountUrl === accountUrl) return []
  const { platform } = account
  if (isListed(client, platform, accountName, accountId)) return refuse({ reason: 'account-listed-twice', accountName })
  return [{ type: 'SocialAccountRenamed', data: { accountId, platform, accountName, accountUrl } }]
}

function removeAccount(client: Client, { accountId, isNamed }: Of<'RemoveSocialAccount'>): Decision {
  const account = client.accounts[accountId]
  // Removed before: a repeat is no error.
  if (!account) return []
  if (account.remoteId !== null) return refuse({ reason: 'account-was-connected' })
  const hasSchedule = Object.values(client.schedules).some((schedule) => schedule.accountId === accountId)
  if (isNamed || hasSchedule) return refuse({ reason: 'account-in-use' })
  return [{ type: 'SocialAccountRemoved', data: { accountId, platform: account.platform } }]
}

const isListed = (client: Client, platform: Platform, accountName: string, except: string | null = null) =>
  Object.entries(client.accounts).some(
    ([id, other]) => id !== except && other.platform === platform && other.accountName === accountName,
  )

export const clientDecider: ClientDecider = { initial: initialClient, decide, evolve: evolveClient }

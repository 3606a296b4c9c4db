/** Connects a profile of a network to a client's social account, which is added where there is none. */
import { v7 as uuidv7 } from 'uuid'
import { includesClient, isAtLeast } from '../../domain/agency/roles.ts'
import { memberOf } from '../../domain/agency/team-state.ts'
import type { Client } from '../../domain/client/state.ts'
import type { Platform } from '../../domain/core/values.ts'
import { networkNames } from '../contract/network-names.ts'
import { idFromKey } from '../core/agency-id.ts'
import type { AppendedEvent, CommandContext } from '../core/command-handler.ts'
import type { Commands } from '../core/commands.ts'
import { problemOf } from '../http/sentences.ts'
import type { Asked } from './choices.ts'
import type { Networks, Profile } from './port.ts'
import type { Vault } from './vault.ts'

interface Ports {
  readonly commands: Commands
  readonly networks: Networks
  readonly vault: Vault
}

export interface Ended<Kind extends string> {
  readonly kind: Kind
  readonly sentence: string
  readonly clientId: string
  readonly accountId: string
}

export type Connected = Ended<'connected'> & {
  readonly platform: Platform
  /** The events that the views must contain before the response. */
  readonly appendedEvents: readonly AppendedEvent[]
}

export const gone = 'This account is not there any more.'

export function profileConnector({ commands, networks, vault }: Ports) {
  /** Null when the agency doesn't have the client, or the user may no longer connect its accounts. */
  const clientOf = async ({ agencyId, clientId, userId }: Pick<Asked, 'agencyId' | 'clientId' | 'userId'>) => {
    const { state: agency } = await commands.loadAgency(agencyId)
    const member = memberOf(agency.team, userId)
    const mayConnect = member !== null && isAtLeast(member.role, 'manager') && includesClient(member.clients, clientId)
    const profile = mayConnect ? agency.clients[clientId] : undefined
    return profile ? { ...(await commands.loadClient(clientId)).state, name: profile.name } : null
  }
  const accountOf = async (asked: Pick<Asked, 'agencyId' | 'clientId' | 'userId' | 'accountId'>) =>
    (await clientOf(asked))?.accounts[asked.accountId] ?? null

  /** Connects the profile to the account that it belongs to, which is added first where there is none. */
  const connectNew = async (
    profile: Profile,
    asked: Asked,
  ): Promise<Ended<'unknown-account' | 'network-failed'> | Connected> => {
    const { clientId, agencyId, userId, platform } = asked
    const client = await clientOf(asked)
    if (!client) return { kind: 'unknown-account', sentence: gone, clientId, accountId: asked.accountId }
    const known = accountFor(client, platform, profile)
    if (known !== null) return connectTo(profile, { ...asked, accountId: known })
    // Derived from the profile, so that two tabs make one account.
    const accountId = idFromKey(agencyId, 'connect', `${clientId} ${platform} ${profile.remoteId}`)
    const by: CommandContext = { actor: { type: 'user', id: userId }, agencyId, correlationId: uuidv7() }
    const accountName = freeName(client, platform, profile.name)
    const add = { type: 'AddSocialAccount', accountId, platform, accountName, accountUrl: null } as const
    const added = await commands.client(clientId, add, by)
    if ('refused' in added)
      return { kind: 'network-failed', sentence: problemOf(added.refused).message, clientId, accountId }
    const connected = await connectTo(profile, { ...asked, accountId })
    return connected.kind === 'connected'
      ? { ...connected, appendedEvents: [...added.appendedEvents, ...connected.appendedEvents] }
      : connected
  }

  const connectTo = async (
    { remoteId, tokens }: Profile,
    asked: Asked,
  ): Promise<Ended<'unknown-account' | 'network-failed'> | Connected> => {
    const { clientId, accountId, agencyId, userId, platform } = asked
    const about = { clientId, accountId }
    // Tokens first: an account that is marked as connected must be able to publish.
    await vault.put(accountId, { remoteId, tokens })
    const by: CommandContext = { actor: { type: 'user', id: userId }, agencyId, correlationId: uuidv7() }
    const connected = { remoteId, network: networks[platform].mode, endsAt: tokens.endsAt }
    const done = await commands.client(clientId, { type: 'ConnectSocialAccount', accountId, ...connected }, by)
    if ('refused' in done) {
      const kept = await vault.kept(accountId)
      if (kept?.connection.tokens.accessToken === tokens.accessToken) await vault.remove(accountId, kept.version)
      return { kind: 'unknown-account', sentence: gone, ...about }
    }
    // A disconnect may have read these tokens before the log showed the connection: it deletes no other version.
    if (!(await vault.renewVersion(accountId))) {
      await commands.client(clientId, { type: 'DisconnectSocialAccount', accountId, because: 'asked' }, by)
      return { kind: 'network-failed', sentence: 'The account was disconnected meanwhile. Connect it again.', ...about }
    }
    return {
      kind: 'connected',
      sentence: `${networkNames[platform]} is connected.`,
      platform,
      appendedEvents: done.appendedEvents,
      ...about,
    }
  }

  return { clientOf, accountOf, connectTo, connectNew }
}

/** The account that the profile was connected to before, or else one of its name that never was connected. */
function accountFor(client: Client, platform: Platform, { remoteId, name }: Profile): string | null {
  const accounts = Object.entries(client.accounts).filter(([, account]) => account.platform === platform)
  const [id] =
    accounts.find(([, account]) => account.remoteId === remoteId) ??
    accounts.find(([, account]) => account.remoteId === null && account.accountName === name) ??
    []
  return id ?? null
}

/** The profile's name, with a number where another account of the network has it. */
function freeName(client: Client, platform: Platform, name: string): string {
  const taken = new Set(
    Object.values(client.accounts).flatMap((account) => (account.platform === platform ? [account.accountName] : [])),
  )
  const short = name.trim().slice(0, 110).toWellFormed() || networkNames[platform]
  for (let number = 1; ; number++) {
    const free = number === 1 ? short : `${short} (${number})`
    if (!taken.has(free)) return free
  }
}

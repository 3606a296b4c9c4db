/** Connects a social account: sends the user to the network for consent, and stores the tokens. Independent of HTTP. */
import { createHash, randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { includesClient, isAtLeast } from '../../domain/agency/roles.ts'
import { memberOf } from '../../domain/agency/team-state.ts'
import type { Instant } from '../../domain/core/event.ts'
import type { Platform } from '../../domain/core/values.ts'
import type { Client } from '../../domain/client/state.ts'
import { idFromKey } from '../core/agency-id.ts'
import { later, type Clock } from '../core/clock.ts'
import type { CommandContext, AppendedEvent } from '../core/command-handler.ts'
import type { Commands } from '../core/commands.ts'
import { bounds } from '../records/bounds.ts'
import type { RecordTable, Records } from '../records/port.ts'
import { removeSurplus } from '../records/surplus.ts'
import { problemOf } from '../http/sentences.ts'
import { networkNames } from '../contract/network-names.ts'
import { openChoices, type Asked } from './choices.ts'
import { NetworkError, type Network, type Networks, type Profile } from './port.ts'
import type { EncryptedToken, TokenCipher } from './token-cipher.ts'
import type { Vault } from './vault.ts'

export interface ConnectRequest {
  /** The account to connect, or the network on which a new one is made from the profile. */
  readonly target: { readonly accountId: string } | { readonly platform: Platform }
  readonly clientId: string
  readonly agencyId: string
  readonly userId: string
  readonly sessionId: string
  /** The URL that the network redirects the browser to. */
  readonly redirectUri: string
}

export interface ConsentAnswer {
  /** The network whose callback got the answer: another network's answer must not make us send it this one's code. */
  readonly platform: Platform
  readonly state: string
  /** The network sends exactly one of the two. */
  readonly code?: string | undefined
  readonly error?: string | undefined
  readonly sessionId: string
}

/** Each sentence is meant for the user who connects. */
export type ConnectStart =
  | { readonly kind: 'redirect'; readonly url: string }
  | { readonly kind: 'unknown-account' | 'network-failed'; readonly sentence: string }

export type Finished =
  | Connected
  | Ended<'canceled' | 'network-failed' | 'unknown-account'>
  /** The consent covers several profiles: the user chooses, with `choices` and `choose`. */
  | (Ended<'choose'> & { readonly choiceId: string })
  /** The link has expired, was used before, or belongs to another session or network. */
  | { readonly kind: 'expired'; readonly sentence: string }

export type Chosen =
  | Exclude<Finished, Ended<'choose'>>
  /** The consent doesn't cover that profile; the choice is still open. */
  | { readonly kind: 'not-offered'; readonly sentence: string }

interface Ended<Kind extends string> {
  readonly kind: Kind
  readonly sentence: string
  readonly clientId: string
  readonly accountId: string
}

type Connected = Ended<'connected'> & {
  readonly platform: Platform
  /** The events that the views must contain before the response. */ readonly appendedEvents: readonly AppendedEvent[]
}

interface PendingConsent extends Asked {
  /** SHA-256 of the state, so that reading the table is not enough to finish a consent. */
  readonly id: string
  readonly session: string
  readonly redirectUri: string
  /** Encrypted too: deleted rows stay in a file for a while. */
  readonly codeVerifier: EncryptedToken
  readonly expiresAt: Instant
}

export interface ConnectPorts {
  readonly commands: Commands
  readonly networks: Networks
  readonly vault: Vault
  readonly cipher: TokenCipher
  readonly records: Records
  readonly clock: Clock
}

export interface Choice {
  readonly agencyId: string
  readonly accountId: string
  readonly choiceId: string
  readonly sessionId: string
}

export interface Connect {
  begin(request: ConnectRequest): Promise<ConnectStart>
  finish(answer: ConsentAnswer): Promise<Finished>
  /**
   * The profiles to choose from; null when the choice has ended, is unknown, or belongs to another session or agency.
   */
  choices(choice: Choice): Promise<readonly Pick<Profile, 'remoteId' | 'name'>[] | null>
  choose(choice: Choice & { readonly remoteId: string }): Promise<Chosen>
  /** Deletes abandoned consents and choices with their secrets. */
  sweep(): Promise<void>
}

const stateLifeMs = 10 * 60_000

export async function createConnect({
  commands,
  networks,
  vault,
  cipher,
  records,
  clock,
}: ConnectPorts): Promise<Connect> {
  const table = await records.table<PendingConsent>({ table: 'oauth_states', indexed: ['expiresAt', 'userId'] })
  const choices = await openChoices(records, cipher, clock)

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

  return {
    async begin({ target, clientId, agencyId, userId, sessionId, redirectUri }) {
      const isNew = 'platform' in target
      const accountId = isNew ? uuidv7() : target.accountId
      const client = await clientOf({ agencyId, clientId, userId })
      const account = isNew
        ? { platform: target.platform, accountName: client?.name ?? '' }
        : client?.accounts[accountId]
      if (!client || !account) return { kind: 'unknown-account', sentence: gone }
      const { platform, accountName } = account
      const now = clock.now()
      const state = randomBytes(16).toString('base64url')
      const codeVerifier = randomBytes(32).toString('base64url')
      const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')
      const url = consentUrlOf(networks[platform], { state, redirectUri, accountName, codeChallenge })
      if (url instanceof NetworkError) return { kind: 'network-failed', sentence: url.message }
      const asked = { accountId, isNew, clientId, agencyId, userId, platform }
      const expiresAt = later(now, stateLifeMs)
      const id = hashed(state)
      const encrypted = cipher.encrypt(placeOf(id), codeVerifier)
      await table.put({ ...asked, id, session: hashed(sessionId), redirectUri, codeVerifier: encrypted, expiresAt })
      await removeSurplus(table, {
        field: 'userId',
        owner: userId,
        max: bounds.oauth_states.each.max,
        begun: (pending) => pending.expiresAt,
        except: id,
      })
      return { kind: 'redirect', url }
    },

    async finish({ state, code, error, sessionId, platform: answering }) {
      const pending = await redeem(table, { state, sessionId, platform: answering }, clock.now())
      const codeVerifier = pending && cipher.openOrNull(placeOf(pending.id), pending.codeVerifier)
      if (!pending || codeVerifier === null)
        return { kind: 'expired', sentence: 'This link was used before or is too old. Connect the account again.' }
      const { clientId, accountId, platform } = pending
      const about = { clientId, accountId }
      const name = networkNames[platform]
      if (code === undefined) {
        return error === undefined || canceled.has(error)
          ? { kind: 'canceled', sentence: `${name} was not connected, because access was not allowed.`, ...about }
          : { kind: 'network-failed', sentence: `${name} could not connect the account. Try again.`, ...about }
      }
      const profiles = await exchange(networks[platform], { code, redirectUri: pending.redirectUri, codeVerifier })
      if (typeof profiles === 'string') return { kind: 'network-failed', sentence: profiles, ...about }
      const account = pending.isNew === true ? null : await accountOf(pending)
      if (pending.isNew !== true && !account) return { kind: 'unknown-account', sentence: gone, ...about }
      // Reconnecting an account takes the same profile again.
      const [only = null] =
        profiles.length === 1 ? profiles : profiles.filter(({ remoteId }) => remoteId === account?.remoteId)
      if (only) return pending.isNew === true ? connectNew(only, pending) : connectTo(only, pending)
      const choiceId = await choices.offer(pending, hashed(sessionId), profiles)
      return { kind: 'choose', sentence: `Choose which ${name} profile to connect.`, choiceId, ...about }
    },

    async choices({ agencyId, accountId, choiceId, sessionId }) {
      const offered = await choices.find(choiceId, hashed(sessionId))
      if (offered?.asked.accountId !== accountId || offered.asked.agencyId !== agencyId) return null
      return offered.profiles.map(({ remoteId, name }) => ({ remoteId, name }))
    },

    async choose({ agencyId, accountId, choiceId, sessionId, remoteId }) {
      const offered = await choices.find(choiceId, hashed(sessionId))
      const over = { kind: 'expired', sentence: 'This choice is too old. Connect the account again.' } as const
      if (offered?.asked.accountId !== accountId || offered.asked.agencyId !== agencyId) return over
      const profile = offered.profiles.find((one) => one.remoteId === remoteId)
      if (!profile)
        return {
          kind: 'not-offered',
          sentence: 'This profile is not one of those that you allowed. Choose one of the list.',
        }
      // Of two concurrent answers only one takes the choice.
      if (!(await choices.take(choiceId))) return over
      if (offered.asked.isNew === true) return connectNew(profile, offered.asked)
      if (await accountOf(offered.asked)) return connectTo(profile, offered.asked)
      return { kind: 'unknown-account', sentence: gone, accountId, clientId: offered.asked.clientId }
    },

    async sweep() {
      await Promise.all([table.removeBefore('expiresAt', clock.now()), choices.sweep()])
    },
  }
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

/** The networks' error codes when the user presses *Cancel*. */
const canceled = new Set(['access_denied', 'user_cancelled_authorize', 'user_cancelled_login', 'user_denied'])
const gone = 'This account is not there any more.'
const placeOf = (id: string) => `oauth_states/${id}`
const hashed = (text: string) => createHash('sha256').update(text).digest('hex')

type Claim = Pick<ConsentAnswer, 'state' | 'sessionId' | 'platform'>

/** The pending consent of this state; null unless session and network match, it has not expired, and it is unused. */
async function redeem(table: RecordTable<PendingConsent>, { state, sessionId, platform }: Claim, now: Instant) {
  const found = await table.get(hashed(state))
  if (!found || found.record.session !== hashed(sessionId) || found.record.platform !== platform) return null
  // Of two concurrent answers only one removes it.
  if (!(await table.remove(found.record.id))) return null
  return found.record.expiresAt > now ? found.record : null
}

/** The network's consent URL, or its error when it is unavailable. */
function consentUrlOf(network: Network, request: Parameters<Network['consentUrl']>[0]): string | NetworkError {
  try {
    return network.consentUrl(request)
  } catch (error) {
    if (error instanceof NetworkError) return error
    throw error
  }
}

/** The profiles, or a sentence that says why there are none. */
async function exchange(
  network: Network,
  consent: Parameters<Network['exchange']>[0],
): Promise<readonly Profile[] | string> {
  try {
    return await network.exchange(consent)
  } catch (error) {
    if (error instanceof NetworkError) return error.message
    throw error
  }
}

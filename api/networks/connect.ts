/** Connecting a social account: to the network for consent, and back with the keys. Knows nothing of HTTP. */
import { createHash, randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import type { Instant } from '../../domain/core/event.ts'
import type { Platform } from '../../domain/core/values.ts'
import { later, type Clock } from '../clock.ts'
import type { By, Handler, Landed } from '../handle.ts'
import type { RecordTable, Records } from '../records/port.ts'
import { networkNames } from './names.ts'
import { NetworkError, type Connection, type Network, type Networks } from './port.ts'
import type { Vault } from './vault.ts'

export interface ConnectRequest {
  readonly accountId: string
  readonly clientId: string
  readonly agencyId: string
  readonly userId: string
  readonly sessionId: string
  /** Where the network sends the browser back to. */
  readonly redirectUri: string
}

export interface ConsentAnswer {
  readonly state: string
  /** Exactly one of the two comes back. */
  readonly code?: string | undefined
  readonly error?: string | undefined
  readonly sessionId: string
}

/** Each sentence is fit for the person who connects. */
export type Begun =
  | { readonly kind: 'redirect'; readonly url: string }
  | { readonly kind: 'unknown-account'; readonly sentence: string }

export type Finished =
  | (Ended<'connected'> & { readonly platform: Platform; /** What the views must have before the answer. */ readonly landed: readonly Landed[] })
  | Ended<'canceled' | 'network-failed' | 'unknown-account'>
  /** The link is too old, was used before, or belongs to another session. */
  | { readonly kind: 'expired'; readonly sentence: string }

interface Ended<Kind extends string> {
  readonly kind: Kind
  readonly sentence: string
  readonly clientId: string
  readonly accountId: string
}

interface PendingConsent {
  /** SHA-256 of the state, so that the table alone lets nobody finish a consent. */
  readonly id: string
  readonly session: string
  readonly accountId: string
  readonly clientId: string
  readonly agencyId: string
  readonly userId: string
  readonly redirectUri: string
  readonly platform: Platform
  readonly expiresAt: Instant
}

export interface ConnectPorts {
  readonly handler: Handler
  readonly networks: Networks
  readonly vault: Vault
  readonly records: Records
  readonly clock: Clock
}

export interface Connect {
  begin(request: ConnectRequest): Promise<Begun>
  finish(answer: ConsentAnswer): Promise<Finished>
}

const stateLifeMs = 10 * 60_000

export async function createConnect({ handler, networks, vault, records, clock }: ConnectPorts): Promise<Connect> {
  const table = await records.table<PendingConsent>({ table: 'oauth_states', indexed: ['expiresAt'] })

  const accountOf = async (agencyId: string, clientId: string, accountId: string) => {
    const { state: agency } = await handler.loadAgency(agencyId)
    if (!(clientId in agency.clients)) return null
    return (await handler.loadClient(clientId)).state.accounts[accountId] ?? null
  }

  return {
    async begin({ accountId, clientId, agencyId, userId, sessionId, redirectUri }) {
      const account = await accountOf(agencyId, clientId, accountId)
      if (!account) return { kind: 'unknown-account', sentence: gone }
      const { platform, accountName } = account
      const now = clock.now()
      const state = randomBytes(16).toString('base64url')
      await table.removeBefore('expiresAt', now)
      const session = hashed(sessionId)
      const expiresAt = later(now, stateLifeMs)
      await table.put({ id: hashed(state), session, accountId, clientId, agencyId, userId, redirectUri, platform, expiresAt })
      return { kind: 'redirect', url: networks[platform].consentUrl({ state, redirectUri, accountName }) }
    },

    async finish({ state, code, error, sessionId }) {
      const pending = await redeem(table, state, sessionId, clock.now())
      if (!pending) return { kind: 'expired', sentence: 'This link was used before or is too old. Connect the account again.' }
      const { clientId, accountId, agencyId, userId, platform, redirectUri } = pending
      const about = { clientId, accountId }
      const name = networkNames[platform]
      if (code === undefined) {
        return error === undefined || error === 'access_denied'
          ? { kind: 'canceled', sentence: `${name} was not connected, because access was not allowed.`, ...about }
          : { kind: 'network-failed', sentence: `${name} could not connect the account. Try again.`, ...about }
      }
      const connection = await exchange(networks[platform], code, redirectUri)
      if (typeof connection === 'string') return { kind: 'network-failed', sentence: connection, ...about }
      if (!(await accountOf(agencyId, clientId, accountId))) return { kind: 'unknown-account', sentence: gone, ...about }

      // Keys first: an account that says it is connected must be able to publish.
      await vault.put(accountId, connection)
      const by: By = { actor: { type: 'user', id: userId }, agencyId, correlationId: uuidv7() }
      const { remoteId } = connection
      const done = await handler.client(clientId, { type: 'ConnectSocialAccount', accountId, remoteId, network: networks[platform].mode }, by)
      if ('refused' in done) {
        await vault.remove(accountId)
        return { kind: 'unknown-account', sentence: gone, ...about }
      }
      return { kind: 'connected', sentence: `${name} is connected.`, platform, landed: done.landed, ...about }
    },
  }
}

const gone = 'This account is not there any more.'
const hashed = (text: string) => createHash('sha256').update(text).digest('hex')

/** What was asked for under this state; null unless it is the same session's, in time, and for the first time. */
async function redeem(table: RecordTable<PendingConsent>, state: string, sessionId: string, now: Instant) {
  const found = await table.get(hashed(state))
  if (!found || found.record.session !== hashed(sessionId)) return null
  // Of two answers at once only one removes it.
  if (!(await table.remove(found.record.id))) return null
  return found.record.expiresAt > now ? found.record : null
}

/** The connection, or the sentence that says why there is none. */
async function exchange(network: Network, code: string, redirectUri: string): Promise<Connection | string> {
  try {
    return await network.exchange({ code, redirectUri })
  } catch (error) {
    if (error instanceof NetworkError) return error.message
    throw error
  }
}

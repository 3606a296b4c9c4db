/** Connects a social account: sends the user to the network for consent, and stores the tokens. Independent of HTTP. */
import { createHash, randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import type { Platform } from '../../domain/core/values.ts'
import type { Clock } from '../core/clock.ts'
import type { Commands } from '../core/commands.ts'
import type { Records } from '../records/port.ts'
import { networkNames } from '../contract/network-names.ts'
import { hashed, openChoices } from './choices.ts'
import { gone, profileConnector, type Connected, type Ended } from './connect-profile.ts'
import { openPendingConsents, type ConsentKey } from './pending-consents.ts'
import { NetworkError, type Network, type Networks, type Profile } from './port.ts'
import type { TokenCipher } from './token-cipher.ts'
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

export interface ConsentAnswer extends ConsentKey {
  /** The network sends exactly one of the two. */
  readonly code?: string | undefined
  readonly error?: string | undefined
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

export async function createConnect({
  commands,
  networks,
  vault,
  cipher,
  records,
  clock,
}: ConnectPorts): Promise<Connect> {
  const consents = await openPendingConsents(records, cipher, clock)
  const choices = await openChoices(records, cipher, clock)
  const { clientOf, accountOf, connectTo, connectNew } = profileConnector({ commands, networks, vault })

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
      const state = randomBytes(16).toString('base64url')
      const codeVerifier = randomBytes(32).toString('base64url')
      const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')
      const url = consentUrlOf(networks[platform], { state, redirectUri, accountName, codeChallenge })
      if (url instanceof NetworkError) return { kind: 'network-failed', sentence: url.message }
      const asked = { accountId, isNew, clientId, agencyId, userId, platform }
      await consents.add({ asked, state, sessionId, redirectUri, codeVerifier })
      return { kind: 'redirect', url }
    },

    async finish({ state, code, error, sessionId, platform: answering }) {
      const pending = await consents.redeem({ state, sessionId, platform: answering })
      if (!pending)
        return { kind: 'expired', sentence: 'This link was used before or is too old. Connect the account again.' }
      const { clientId, accountId, platform, redirectUri, codeVerifier } = pending
      const about = { clientId, accountId }
      const name = networkNames[platform]
      if (code === undefined) {
        return error === undefined || canceled.has(error)
          ? { kind: 'canceled', sentence: `${name} was not connected, because access was not allowed.`, ...about }
          : { kind: 'network-failed', sentence: `${name} could not connect the account. Try again.`, ...about }
      }
      const profiles = await exchange(networks[platform], { code, redirectUri, codeVerifier })
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
      await Promise.all([consents.sweep(), choices.sweep()])
    },
  }
}

/** The networks' error codes when the user presses *Cancel*. */
const canceled = new Set(['access_denied', 'user_cancelled_authorize', 'user_cancelled_login', 'user_denied'])

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

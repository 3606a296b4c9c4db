/** Consents that were begun: the network answers each once, to the session that began it. */
import type { Instant } from '../../domain/core/event.ts'
import type { Platform } from '../../domain/core/values.ts'
import { later, type Clock } from '../core/clock.ts'
import { bounds } from '../records/bounds.ts'
import type { Records } from '../records/port.ts'
import { removeSurplus } from '../records/surplus.ts'
import { hashed, type Asked } from './choices.ts'
import type { EncryptedToken, TokenCipher } from './token-cipher.ts'

interface PendingConsent extends Asked {
  /** SHA-256 of the state, so that reading the table is not enough to finish a consent. */
  readonly id: string
  readonly session: string
  readonly redirectUri: string
  /** Encrypted too: deleted rows stay in a file for a while. */
  readonly codeVerifier: EncryptedToken
  readonly expiresAt: Instant
}

interface Begun {
  readonly asked: Asked
  readonly state: string
  readonly sessionId: string
  readonly redirectUri: string
  readonly codeVerifier: string
}

/** How the network's answer names a consent. */
export interface ConsentKey {
  /** The network whose callback got the answer: another network's answer must not make us send it this one's code. */
  readonly platform: Platform
  readonly state: string
  readonly sessionId: string
}

export interface PendingConsents {
  /** Stores a consent, and removes the user's oldest where there are too many. */
  add(begun: Begun): Promise<void>
  /** Takes a consent; null unless session and network match, it has not expired, and it is unused. */
  redeem(key: ConsentKey): Promise<(Asked & Pick<Begun, 'redirectUri' | 'codeVerifier'>) | null>
  /** Deletes abandoned consents with their secrets. */
  sweep(): Promise<void>
}

const stateLifeMs = 10 * 60_000
const placeOf = (id: string) => `oauth_states/${id}`

export async function openPendingConsents(
  records: Records,
  cipher: TokenCipher,
  clock: Clock,
): Promise<PendingConsents> {
  const table = await records.table<PendingConsent>({ table: 'oauth_states', indexed: ['expiresAt', 'userId'] })

  return {
    async add({ asked, state, sessionId, redirectUri, codeVerifier }) {
      const expiresAt = later(clock.now(), stateLifeMs)
      const id = hashed(state)
      const encrypted = cipher.encrypt(placeOf(id), codeVerifier)
      await table.put({ ...asked, id, session: hashed(sessionId), redirectUri, codeVerifier: encrypted, expiresAt })
      await removeSurplus(table, {
        field: 'userId',
        owner: asked.userId,
        max: bounds.oauth_states.each.max,
        begun: (pending) => pending.expiresAt,
        except: id,
      })
    },

    async redeem({ state, sessionId, platform }) {
      const pending = (await table.get(hashed(state)))?.record
      if (pending?.session !== hashed(sessionId) || pending.platform !== platform) return null
      // Of two concurrent answers only one removes it.
      if (!(await table.remove(pending.id)) || pending.expiresAt <= clock.now()) return null
      const codeVerifier = cipher.openOrNull(placeOf(pending.id), pending.codeVerifier)
      return codeVerifier === null ? null : { ...pending, codeVerifier }
    },

    async sweep() {
      await table.removeBefore('expiresAt', clock.now())
    },
  }
}

/**
 * Visits to the provider under way. Each is bound to the browser by a cookie and works once, for five minutes. The
 * cookie names the browser, not the visit, so that two tabs can be there at once. Only digests of the cookie and of the
 * state are stored, and what else is secret is encrypted.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { SignOnPage } from '../../../contract/oidc.ts'
import type { Instant } from '../../../../domain/core/event.ts'
import { later, type Clock } from '../../../core/clock.ts'
import type { EncryptedToken, TokenCipher } from '../../../networks/token-cipher.ts'
import type { Records, RecordTable } from '../../../records/port.ts'
import { pendingSignInMs } from '../pending-sign-ins.ts'
import type { Asked } from './provider.ts'

/** `confirm`: a user without a password signs in again, in place of entering it. */
export type Purpose = 'sign-in' | 'link' | 'confirm'

interface ConsentRecord {
  /** SHA-256 of the state. */
  readonly id: string
  /** SHA-256 of the cookie. */
  readonly browser: string
  readonly purpose: Purpose
  /** The session that asked; null to sign in. */
  readonly sessionId: string | null
  /** Where the browser comes back to; the landing page when absent. */
  readonly from?: SignOnPage | undefined
  /** The nonce and the code verifier. */
  readonly secrets: EncryptedToken
  readonly expiresAt: Instant
}

export interface Consent {
  readonly purpose: Purpose
  readonly sessionId: string | null
  readonly from: SignOnPage | undefined
  readonly asked: Asked
}

export interface Visit {
  readonly purpose: Purpose
  readonly sessionId: string | null
  readonly from?: SignOnPage | undefined
  /** The cookie of the browser's other visits. */
  readonly cookie: string | null
}

const random = () => randomBytes(32).toString('base64url')
const digestOf = (text: string) => createHash('sha256').update(text).digest('hex')
const isOurs = (cookie: string) => /^[\w-]{43}$/.test(cookie)
const placeOf = (id: string) => `oidc_consents/${id}`

export class OidcConsents {
  private constructor(
    private readonly records: RecordTable<ConsentRecord>,
    private readonly clock: Clock,
    private readonly cipher: TokenCipher,
  ) {}

  static async open(records: Records, clock: Clock, cipher: TokenCipher): Promise<OidcConsents> {
    const table = await records.table<ConsentRecord>({ table: 'oidc_consents', indexed: ['expiresAt'] })
    return new OidcConsents(table, clock, cipher)
  }

  /** Returns the cookie's value too. */
  async begin({ purpose, sessionId, from, cookie: known }: Visit): Promise<{
    readonly cookie: string
    readonly asked: Asked
  }> {
    const cookie = known !== null && isOurs(known) ? known : random()
    const [state, nonce, codeVerifier] = [random(), random(), random()]
    const id = digestOf(state)
    const secrets = this.cipher.encrypt(placeOf(id), `${nonce} ${codeVerifier}`)
    const expiresAt = later(this.clock.now(), pendingSignInMs)
    const record = { id, browser: digestOf(cookie), purpose, sessionId, secrets, expiresAt }
    await this.records.insert(from === undefined ? record : { ...record, from })
    return { cookie, asked: { state, nonce, codeVerifier, isFresh: purpose === 'confirm' } }
  }

  /** Null when it is unknown, used, over or another browser's. */
  async take(state: string, cookie: string | null): Promise<Consent | null> {
    const id = digestOf(state)
    const found = await this.records.get(id)
    if (!found || cookie === null || found.record.browser !== digestOf(cookie)) return null
    const { purpose, sessionId, from, secrets, expiresAt } = found.record
    if (!(await this.records.remove(id, found.version)) || expiresAt <= this.clock.now()) return null
    const [nonce = '', codeVerifier] = this.cipher.openOrNull(placeOf(id), secrets)?.split(' ') ?? []
    if (codeVerifier === undefined) return null
    return { purpose, sessionId, from, asked: { state, nonce, codeVerifier, isFresh: purpose === 'confirm' } }
  }

  /** Deletes those that are over. */
  async sweep(): Promise<void> {
    await this.records.removeBefore('expiresAt', this.clock.now())
  }
}

/** Tokens by their hash: purpose, expiry and revocation. */
import type { Instant } from '../../../domain/core/event.ts'
import type { Platform } from '../../../domain/core/values.ts'
import type { Row } from '../../../domain/event-store/sqlite.ts'
import { later } from '../../core/clock.ts'
import { hashed, textOrNull, type Db } from './db.ts'

export type TokenKind = 'short' | 'access' | 'page' | 'refresh'
export type TokenState = 'good' | 'used' | 'revoked'

export interface Issued {
  readonly key: string
  readonly consent: string
  readonly kind: TokenKind
  readonly remoteId: string
  /** Null: it never expires. */
  readonly expiresAt: Instant | null
}

export interface Holder {
  /** All tokens of one consent are a family. */
  readonly consent: string
  readonly platform: Platform
  readonly scope: string
  readonly kind: TokenKind
  readonly remoteId: string
  readonly issuedAt: Instant
  readonly expiresAt: Instant | null
  readonly state: TokenState
}

/** For this long a client with an ended token is told that it has ended, rather than that it is unknown. */
const keptAfterEndMs = 30 * 24 * 3_600_000
const sweptAtOnce = 20

export class Tokens {
  readonly #db: Db
  constructor(db: Db) {
    this.#db = db
  }

  /** Within a transaction. Issuing the same token again changes nothing. */
  issue({ key, consent, kind, remoteId, expiresAt }: Issued, now: Instant): void {
    this.#sweep(now)
    const sql =
      'INSERT OR IGNORE INTO tokens (hash, consent, kind, remote_id, issued_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)'
    this.#db.run(sql, hashed(key), consent, kind, remoteId, now, expiresAt)
  }

  /** Within a transaction: deletes tokens that ended long ago, and each consent without tokens. */
  #sweep(now: Instant): void {
    const ended = this.#db.all(
      `SELECT hash, consent FROM tokens WHERE expires_at < ? ORDER BY expires_at LIMIT ${sweptAtOnce}`,
      later(now, -keptAfterEndMs),
    )
    for (const [hash = '', consent = ''] of ended) {
      this.#db.run('DELETE FROM tokens WHERE hash = ?', hash)
      if (this.#db.get('SELECT 1 FROM tokens WHERE consent = ?', consent)) continue
      this.#db.run('DELETE FROM consent_profiles WHERE consent = ?', consent)
      this.#db.run('DELETE FROM consents WHERE id = ?', consent)
    }
  }

  /** The token's holder, whether it is valid or not; null for an unknown token. */
  holder(platform: Platform, key: string): Holder | null {
    const row = this.#db.get(
      `SELECT t.consent, k.platform, k.scope, t.kind, t.remote_id, t.issued_at, t.expires_at, t.state
       FROM tokens t JOIN consents k ON k.id = t.consent WHERE t.hash = ? AND k.platform = ?`,
      hashed(key),
      platform,
    )
    return row ? holderOf(row) : null
  }

  /** Within a transaction. */
  markUsed(key: string): void {
    this.#db.run("UPDATE tokens SET state = 'used' WHERE hash = ?", hashed(key))
  }

  /** Within a transaction: revokes every token of the family. */
  endFamily(consent: string): void {
    this.#db.run("UPDATE tokens SET state = 'revoked' WHERE consent = ?", consent)
  }

  /** Revokes all access to a profile: a Page's own tokens, or all tokens of each consent that covers it. */
  revoke(platform: Platform, remoteId: string): Promise<void> {
    return this.#db.durably(() => {
      if (platform === 'facebook') {
        this.#db.run("UPDATE tokens SET state = 'revoked' WHERE remote_id = ? AND kind = 'page'", remoteId)
        return
      }
      const consents = this.#db.all('SELECT consent FROM consent_profiles WHERE remote_id = ?', remoteId)
      for (const [consent] of consents) this.endFamily(String(consent))
    })
  }
}

/** Whether a token is valid at that instant. */
export const works = ({ state, expiresAt }: Holder, now: Instant): boolean =>
  state === 'good' && (expiresAt === null || expiresAt > now)

const holderOf = ([consent, platform, scope, kind, remoteId, issuedAt, expiresAt, state]: Row): Holder => ({
  consent: String(consent),
  platform: platform as Platform,
  scope: String(scope),
  kind: kind as TokenKind,
  remoteId: String(remoteId),
  issuedAt: String(issuedAt),
  expiresAt: textOrNull(expiresAt),
  state: state as TokenState,
})

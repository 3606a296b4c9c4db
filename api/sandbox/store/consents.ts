/** Users' consents, and the codes that a client exchanges for its first token. */
import { createHash } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import type { Instant } from '../../../domain/core/event.ts'
import type { Platform } from '../../../domain/core/values.ts'
import { later } from '../../core/clock.ts'
import { hashed, secret, type Db } from './db.ts'
import type { ProfileKind, Profiles } from './profiles.ts'

export interface Allowed {
  readonly platform: Platform
  readonly profiles: readonly { readonly name: string; readonly kind: ProfileKind }[]
  readonly scope: string
  readonly clientId: string
  readonly redirectUri: string
  /** PKCE, S256; null on networks without it. */
  readonly challenge: string | null
  readonly codeLifeMs: number
}

export interface Trade {
  readonly platform: Platform
  readonly code: string
  readonly clientId: string
  readonly redirectUri: string
  readonly verifier?: string | undefined
}

export interface Consent {
  readonly id: string
  readonly scope: string
  /** The id of the first named profile. */
  readonly remoteId: string
}

const sweptAtOnce = 20

export class Consents {
  readonly #db: Db
  readonly #profiles: Profiles
  constructor(db: Db, profiles: Profiles) {
    this.#db = db
    this.#profiles = profiles
  }

  /** Stores the profiles and the consent, and returns a single-use code. */
  allow(allowed: Allowed, now: Instant): Promise<string> {
    const { platform, profiles, scope, clientId, redirectUri, challenge, codeLifeMs } = allowed
    const code = secret()
    const id = uuidv7()
    return this.#db.durably(() => {
      this.#db.run('INSERT INTO consents (id, platform, scope, given_at) VALUES (?, ?, ?, ?)', id, platform, scope, now)
      profiles.forEach(({ name, kind }, place) => {
        const remoteId = this.#profiles.ensure(platform, name, kind)
        this.#db.run('INSERT INTO consent_profiles (consent, place, remote_id) VALUES (?, ?, ?)', id, place, remoteId)
      })
      this.#sweep(now)
      const sql =
        'INSERT INTO consent_codes (hash, consent, client_id, redirect_uri, challenge, expires_at) VALUES (?, ?, ?, ?, ?, ?)'
      this.#db.run(sql, hashed(code), id, clientId, redirectUri, challenge, later(now, codeLifeMs))
      return code
    })
  }

  /** Within a transaction: deletes expired codes and their consents. */
  #sweep(now: Instant): void {
    for (const [hash = '', consent = ''] of this.#db.all(
      `SELECT hash, consent FROM consent_codes WHERE expires_at <= ? LIMIT ${sweptAtOnce}`,
      now,
    )) {
      this.#db.run('DELETE FROM consent_codes WHERE hash = ?', hash)
      this.#db.run('DELETE FROM consent_profiles WHERE consent = ?', consent)
      this.#db.run('DELETE FROM consents WHERE id = ?', consent)
    }
  }

  /** Within a transaction: redeems a code; null when it is unknown, used, expired or was issued to another client. */
  redeem({ platform, code, clientId, redirectUri, verifier }: Trade, now: Instant): Consent | null {
    const row = this.#db.get(
      `SELECT c.consent, k.scope, p.remote_id, c.challenge FROM consent_codes c JOIN consents k ON k.id = c.consent
       JOIN consent_profiles p ON p.consent = c.consent AND p.place = 0
       WHERE c.hash = ? AND k.platform = ? AND c.client_id = ? AND c.redirect_uri = ? AND c.expires_at > ?`,
      hashed(code),
      platform,
      clientId,
      redirectUri,
      now,
    )
    if (!row) return null
    const [id, scope, remoteId, challenge] = row
    if (challenge !== null && challenge !== challengeOf(verifier ?? '')) return null
    this.#db.run('DELETE FROM consent_codes WHERE hash = ?', hashed(code))
    return { id: String(id), scope: String(scope), remoteId: String(remoteId) }
  }
}

/** RFC 7636, S256. */
const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')

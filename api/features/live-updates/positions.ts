/**
 * Encrypts log positions for agencies, because a plain position reveals the activity of the whole installation.
 * AES-256-GCM with a fresh random nonce, under a key per agency derived from `SESSION_SECRET` (HKDF-SHA256, then
 * HMAC-SHA256 over the agency's id), so that several API processes agree. All tokens have the same length, no two are
 * equal, and only the server decrypts and compares them. One key encrypts at most 2^32 tokens (NIST SP 800-38D, 8.3):
 * at 100 requests a second, an agency needs more than a year for that.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { Position } from '../../../domain/core/event.ts'
import type { SessionSecrets } from '../auth/sessions.ts'

const nonceBytes = 12
const tagBytes = 16
/**
 * More than any store's position has. With nonce and tag 75 bytes, exactly 100 base64url characters without spare bits:
 * one spelling each.
 */
const positionBytes = 47
const maxAgencyKeys = 1_000
const noncesPerFetch = 256
const shape = /^[\w-]{100}$/

export class PositionTokens {
  readonly #keys: readonly [Buffer, ...Buffer[]]
  /** Keys of agencies that asked lately, because every answer to a read encrypts a position. */
  readonly #agencyKeys = new Map<string, Buffer>()
  #random = Buffer.alloc(0)

  /** @param secrets the first encrypts; the others are earlier ones and only decrypt */
  constructor([current, ...old]: SessionSecrets) {
    this.#keys = [keyOf(current), ...old.map(keyOf)]
  }

  /** @throws RangeError for a position that is too long */
  encrypt(agencyId: string, position: Position): string {
    if (Buffer.byteLength(position) > positionBytes) throw new RangeError('The position is too long to be encrypted')
    const nonce = this.#nonce()
    const cipher = createCipheriv('aes-256-gcm', this.#currentKeyOf(agencyId), nonce)
    // One buffer for all parts: every answer to a read has a token.
    const token = Buffer.alloc(nonceBytes + positionBytes + tagBytes, ' ')
    nonce.copy(token)
    token.write(position, nonceBytes)
    cipher.update(token.subarray(nonceBytes, -tagBytes)).copy(token, nonceBytes)
    cipher.final()
    cipher.getAuthTag().copy(token, nonceBytes + positionBytes)
    return token.toString('base64url')
  }

  #currentKeyOf(agencyId: string): Buffer {
    const known = this.#agencyKeys.get(agencyId)
    if (known) return known
    if (this.#agencyKeys.size >= maxAgencyKeys) this.#agencyKeys.clear()
    const key = agencysKey(this.#keys[0], agencyId)
    this.#agencyKeys.set(agencyId, key)
    return key
  }

  /** Fresh random bytes, fetched for many tokens at once. */
  #nonce(): Buffer {
    if (this.#random.length < nonceBytes) this.#random = randomBytes(nonceBytes * noncesPerFetch)
    const nonce = this.#random.subarray(0, nonceBytes)
    this.#random = this.#random.subarray(nonceBytes)
    return nonce
  }

  /** Null for a token of another agency, an altered one, or one encrypted with an unknown secret. */
  decrypt(agencyId: string, token: string): Position | null {
    if (!shape.test(token)) return null
    const bytes = Buffer.from(token, 'base64url')
    const nonce = bytes.subarray(0, nonceBytes)
    const encrypted = bytes.subarray(nonceBytes, -tagBytes)
    for (const key of this.#keys) {
      const decipher = createDecipheriv('aes-256-gcm', agencysKey(key, agencyId), nonce, {
        authTagLength: tagBytes,
      }).setAuthTag(bytes.subarray(-tagBytes))
      try {
        return Buffer.concat([decipher.update(encrypted), decipher.final()])
          .toString('utf8')
          .trimEnd()
      } catch {
        // Try the next key.
      }
    }
    return null
  }
}

const keyOf = (secret: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', 'positions of the log', 32))
const agencysKey = (key: Buffer, agencyId: string): Buffer => createHmac('sha256', key).update(agencyId).digest()

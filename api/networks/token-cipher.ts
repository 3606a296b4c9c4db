/** Encryption at rest for access tokens: AES-256-GCM, bound to the record that contains the token. */
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import { decoded } from '../core/base64.ts'

export interface EncryptionKeys {
  /** 32 bytes; encrypts, and decrypts its own data. */
  readonly current: Buffer
  /** Earlier keys: only for decryption. */
  readonly others?: readonly Buffer[]
}

/** What is stored: all fields as base64 except the key's id. */
export interface EncryptedToken {
  readonly keyId: string
  readonly iv: string
  readonly tag: string
  readonly data: string
}

/**
 * Stored tokens can't be read: an encryption key is missing or the record was tampered with. For an operator; no
 * secrets.
 */
export class VaultError extends Error {
  override readonly name = 'VaultError'
}

const algorithm = 'aes-256-gcm'
/** A shorter tag would be easier to guess. */
const tagBytes = 16

/** Identifies a key without revealing it. */
const idOf = (key: Buffer) => createHash('sha256').update('key id').update(key).digest('hex').slice(0, 12)

/** @throws RangeError for a text that encryption never produces */
function bytesOf(text: string): Buffer {
  const bytes = decoded(text, 'base64')
  if (!bytes) throw new RangeError('Not base64')
  return bytes
}

export class TokenCipher {
  readonly currentId: string
  /** Other key ids of stored data; `k1` is from before keys had ids of their own. */
  readonly earlierIds: readonly string[]
  readonly #keys: readonly { readonly id: string; readonly key: Buffer }[]

  /** @throws RangeError when a key is not 32 bytes long */
  constructor({ current, others = [] }: EncryptionKeys) {
    this.#keys = [current, ...others].map((key) => {
      if (key.length !== 32) throw new RangeError('An encryption key must have 32 bytes')
      return { id: idOf(key), key }
    })
    this.currentId = idOf(current)
    this.earlierIds = [...this.#keys.slice(1).map(({ id }) => id), 'k1']
  }

  /** @param place the record's table and id: the ciphertext is invalid anywhere else */
  encrypt(place: string, text: string): EncryptedToken {
    const [current] = this.#keys
    if (!current) throw new Error('There is always a current key')
    const iv = randomBytes(12)
    const cipher = createCipheriv(algorithm, current.key, iv).setAAD(Buffer.from(place, 'utf8'))
    const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return {
      keyId: current.id,
      iv: iv.toString('base64'),
      tag: cipher.getAuthTag().toString('base64'),
      data: data.toString('base64'),
    }
  }

  /** Names a text, so that it is found again without being readable: another one with another current key. */
  digest(place: string, text: string): string {
    const [current] = this.#keys
    if (!current) throw new Error('There is always a current key')
    return createHmac('sha256', current.key).update(`${place}\0${text}`).digest('hex').slice(0, 32)
  }

  /** For short-lived data that is not re-encrypted on a key change: null when no key decrypts it, for any reason. */
  openOrNull(place: string, encrypted: EncryptedToken): string | null {
    try {
      return this.decrypt(place, encrypted)
    } catch (error) {
      if (error instanceof VaultError) return null
      throw error
    }
  }

  /** @throws VaultError when no key decrypts it, for any reason */
  decrypt(place: string, { keyId, iv, tag, data }: EncryptedToken): string {
    // The tag proves which key is right, so old ids need no mapping to keys.
    const likely = this.#keys.toSorted((a, b) => Number(b.id === keyId) - Number(a.id === keyId))
    for (const { key } of likely) {
      try {
        const decipher = createDecipheriv(algorithm, key, bytesOf(iv), { authTagLength: tagBytes })
        decipher.setAAD(Buffer.from(place, 'utf8')).setAuthTag(bytesOf(tag))
        return Buffer.concat([decipher.update(bytesOf(data)), decipher.final()]).toString('utf8')
      } catch {
        // The cause is dropped: it could quote decrypted data.
      }
    }
    throw new VaultError(`${place} can't be decrypted with the encryption keys that are configured.`)
  }
}

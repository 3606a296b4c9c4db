/** The keys to people's profiles, encrypted at rest. They leave this file only for a network. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Instant } from '../../domain/core/event.ts'
import type { Clock } from '../clock.ts'
import type { RecordTable, Records } from '../records/port.ts'
import type { Connection } from './port.ts'

export interface EncryptionKey {
  /** Stored beside what it encrypted. */
  readonly id: string
  /** 32 bytes. */
  readonly key: Buffer
}

export interface VaultKeys {
  /** Encrypts, and decrypts its own. */
  readonly current: EncryptionKey
  /** Earlier keys: these only decrypt. */
  readonly others?: readonly EncryptionKey[]
}

interface SealedTokens {
  readonly id: string
  readonly keyId: string
  /** All three as base64. */
  readonly iv: string
  readonly tag: string
  readonly data: string
  readonly storedAt: Instant
}

const connectionSchema = z.object({
  remoteId: z.string(),
  tokens: z.object({ accessToken: z.string(), refreshToken: z.string().nullable(), expiresAt: z.string().nullable() }),
})

const algorithm = 'aes-256-gcm'

/** Stored keys can't be read: an encryption key is missing or the record was tampered with. Fit for an operator; no secrets. */
export class VaultError extends Error {
  override readonly name = 'VaultError'
}

export class Vault {
  readonly #keys: ReadonlyMap<string, Buffer>

  private constructor(
    private readonly table: RecordTable<SealedTokens>,
    private readonly current: EncryptionKey,
    others: readonly EncryptionKey[],
    private readonly clock: Clock,
  ) {
    this.#keys = new Map([current, ...others].map(({ id, key }) => [id, key]))
  }

  /** @throws RangeError when a key hasn't 32 bytes */
  static async open(records: Records, { current, others = [] }: VaultKeys, clock: Clock): Promise<Vault> {
    for (const { id, key } of [current, ...others]) {
      if (key.length !== 32) throw new RangeError(`The encryption key ${id} must have 32 bytes`)
    }
    const table = await records.table<SealedTokens>({ table: 'tokens', indexed: ['keyId'] })
    return new Vault(table, current, others, clock)
  }

  /** Keeps an account's connection, in place of any other. */
  async put(accountId: string, connection: Connection): Promise<void> {
    const iv = randomBytes(12)
    const cipher = createCipheriv(algorithm, this.current.key, iv).setAAD(bindingOf(accountId))
    const data = Buffer.concat([cipher.update(JSON.stringify(connection), 'utf8'), cipher.final()])
    await this.table.put({
      id: accountId,
      keyId: this.current.id,
      iv: iv.toString('base64'),
      tag: cipher.getAuthTag().toString('base64'),
      data: data.toString('base64'),
      storedAt: this.clock.now(),
    })
  }

  /** Null when nothing is kept for the account. @throws VaultError */
  async get(accountId: string): Promise<Connection | null> {
    const found = await this.table.get(accountId)
    if (!found) return null
    const { keyId, iv, tag, data } = found.record
    const key = this.#keys.get(keyId)
    if (!key) throw new VaultError(`The encryption key ${keyId} is not configured, so the connection of account ${accountId} can't be read.`)
    try {
      const decipher = createDecipheriv(algorithm, key, Buffer.from(iv, 'base64'))
      decipher.setAAD(bindingOf(accountId)).setAuthTag(Buffer.from(tag, 'base64'))
      const text = Buffer.concat([decipher.update(Buffer.from(data, 'base64')), decipher.final()]).toString('utf8')
      return connectionSchema.parse(JSON.parse(text))
    } catch {
      // The cause is left out: it could quote what was decrypted.
      throw new VaultError(`The connection of account ${accountId} can't be decrypted.`)
    }
  }

  /** False when nothing was kept. */
  remove(accountId: string): Promise<boolean> {
    return this.table.remove(accountId)
  }

  /** Removes what was kept up to an instant; a connection that was made later stays. */
  async removeUpTo(accountId: string, instant: Instant): Promise<boolean> {
    const found = await this.table.get(accountId)
    return found !== null && found.record.storedAt <= instant && (await this.table.remove(accountId))
  }
}

/** Makes a record useless under another account's id. */
const bindingOf = (accountId: string) => Buffer.from(`tokens/${accountId}`, 'utf8')

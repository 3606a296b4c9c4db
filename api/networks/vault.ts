/** The tokens of connected profiles, encrypted at rest. Only requests to a network contain them in plain text. */
import { z } from 'zod'
import type { Instant } from '../../domain/core/event.ts'
import type { Clock } from '../core/clock.ts'
import type { RecordTable, Records } from '../records/port.ts'
import type { Connection } from './port.ts'
import { VaultError, type EncryptedToken, type TokenCipher } from './token-cipher.ts'

interface EncryptedTokens extends EncryptedToken {
  readonly id: string
  readonly storedAt: Instant
}

/** An encrypted constant: decrypting it proves that the server has the right keys. */
interface Proof extends EncryptedToken {
  readonly id: string
}
const proofId = 'proof'
const placeOfProof = 'vault_proof/proof'

const storedConnection = z.object({
  remoteId: z.string(),
  tokens: z.object({
    accessToken: z.string(),
    refreshToken: z.string().nullable(),
    expiresAt: z.string().nullable(),
    endsAt: z.string().nullable().default(null),
  }),
})

export interface Kept {
  readonly connection: Connection
  readonly version: number
  readonly storedAt: Instant
}

export class Vault {
  private constructor(
    private readonly table: RecordTable<EncryptedTokens>,
    private readonly cipher: TokenCipher,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws VaultError when the stored data can't be decrypted with these keys: better at the start than post by post
   */
  static async open(records: Records, cipher: TokenCipher, clock: Clock): Promise<Vault> {
    const vault = new Vault(
      await records.table<EncryptedTokens>({ table: 'tokens', indexed: ['keyId'] }),
      cipher,
      clock,
    )
    await vault.#prove(await records.table<Proof>({ table: 'vault_proof' }))
    return vault
  }

  async #prove(proofs: RecordTable<Proof>): Promise<void> {
    const known = (await proofs.get(proofId))?.record
    if (known) this.cipher.decrypt(placeOfProof, known)
    else
      for (const keyId of this.cipher.earlierIds)
        for (const { id } of await this.table.find('keyId', keyId, 1)) await this.kept(id)
    if (known?.keyId !== this.cipher.currentId)
      await proofs.put({ ...this.cipher.encrypt(placeOfProof, proofId), id: proofId })
  }

  /** Stores an account's connection, and replaces any other. */
  put(accountId: string, connection: Connection): Promise<void> {
    return this.table.put(this.#encrypted(accountId, connection, this.clock.now()))
  }

  /** Stores the same connection with new tokens, unless it was replaced meanwhile: then false. */
  replace(accountId: string, connection: Connection, { version, storedAt }: Kept): Promise<boolean> {
    return this.table.replace(this.#encrypted(accountId, connection, storedAt), version)
  }

  /** Null when the account has no connection. @throws VaultError */
  async get(accountId: string): Promise<Connection | null> {
    return (await this.kept(accountId))?.connection ?? null
  }

  /** With the version that `replace` needs. @throws VaultError */
  async kept(accountId: string): Promise<Kept | null> {
    const found = await this.table.get(accountId)
    if (!found) return null
    const { record, version } = found
    const parsed = storedConnection.safeParse(JSON.parse(this.cipher.decrypt(placeOf(accountId), record)))
    if (!parsed.success) throw new VaultError(`The connection of account ${accountId} can't be read.`)
    return { connection: parsed.data, version, storedAt: record.storedAt }
  }

  /** False when nothing was stored. */
  remove(accountId: string): Promise<boolean> {
    return this.table.remove(accountId)
  }

  /** Deletes a connection stored up to an instant; a later one stays. */
  async removeUpTo(accountId: string, instant: Instant): Promise<boolean> {
    const found = await this.table.get(accountId)
    return found !== null && found.record.storedAt <= instant && (await this.table.remove(accountId))
  }

  /** Re-encrypts data of earlier keys with the current key; repeatable. Returns how many. @throws VaultError */
  async rotate(): Promise<number> {
    let rotated = 0
    for (const keyId of this.cipher.earlierIds) {
      for (
        let found = await this.table.find('keyId', keyId);
        found.length > 0;
        found = await this.table.find('keyId', keyId)
      ) {
        for (const { id } of found) {
          const kept = await this.kept(id)
          if (kept && (await this.replace(id, kept.connection, kept))) rotated += 1
        }
      }
    }
    return rotated
  }

  #encrypted(accountId: string, { remoteId, tokens }: Connection, storedAt: Instant): EncryptedTokens {
    return {
      ...this.cipher.encrypt(placeOf(accountId), JSON.stringify({ remoteId, tokens })),
      id: accountId,
      storedAt,
    }
  }
}

const placeOf = (accountId: string) => `tokens/${accountId}`

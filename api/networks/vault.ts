/** The tokens of connected profiles, encrypted at rest. Only requests to a network contain them in plain text. */
import { z } from 'zod'
import type { RecordTable, Records } from '../records/port.ts'
import type { Connection } from './port.ts'
import { VaultError, type EncryptedToken, type TokenCipher } from './token-cipher.ts'

interface EncryptedTokens extends EncryptedToken {
  readonly id: string
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
}

export class Vault {
  private constructor(
    private readonly table: RecordTable<EncryptedTokens>,
    private readonly cipher: TokenCipher,
  ) {}

  /**
   * @throws VaultError when the stored data can't be decrypted with these keys: better at the start than post by post
   */
  static async open(records: Records, cipher: TokenCipher): Promise<Vault> {
    const vault = new Vault(await records.table<EncryptedTokens>({ table: 'tokens', indexed: ['keyId'] }), cipher)
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
    return this.table.put(this.#encrypted(accountId, connection))
  }

  /** Gives what is stored a new version, so that a removal of an earlier one fails; false when nothing is stored. */
  async renewVersion(accountId: string): Promise<boolean> {
    for (;;) {
      const found = await this.table.get(accountId)
      if (!found) return false
      if (await this.table.replace(found.record, found.version)) return true
    }
  }

  /** Stores the same connection with new tokens, unless it was replaced meanwhile: then false. */
  replace(accountId: string, connection: Connection, { version }: Pick<Kept, 'version'>): Promise<boolean> {
    return this.table.replace(this.#encrypted(accountId, connection), version)
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
    return { connection: parsed.data, version }
  }

  /** The version of what is stored, readable or not; null when nothing is. */
  async versionOf(accountId: string): Promise<number | null> {
    return (await this.table.get(accountId))?.version ?? null
  }

  /** Deletes what is stored, if it still has the given version; false when nothing was deleted. */
  remove(accountId: string, version?: number): Promise<boolean> {
    return this.table.remove(accountId, version)
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

  #encrypted(accountId: string, { remoteId, tokens }: Connection): EncryptedTokens {
    return { ...this.cipher.encrypt(placeOf(accountId), JSON.stringify({ remoteId, tokens })), id: accountId }
  }
}

const placeOf = (accountId: string) => `tokens/${accountId}`

/** What opens a locked link: a passcode, or a code of six digits that is mailed to a contact. */
import { randomInt, timingSafeEqual } from 'node:crypto'
import type { Instant } from '../../../domain/core/event.ts'
import { later, type Clock } from '../../core/clock.ts'
import type { TokenCipher } from '../../networks/token-cipher.ts'
import type { Records, RecordTable } from '../../records/port.ts'
import { removeAll } from '../../records/remove-all.ts'

interface PasscodeRecord {
  /** The link's id. */
  readonly id: string
  readonly clientId: string
  readonly hash: string
  readonly expiresAt: Instant
}

interface CodeRecord {
  /** The token's digest: one code at a time. */
  readonly id: string
  readonly clientId: string
  readonly digest: string
  readonly tries: number
  readonly expiresAt: Instant
}

export const codeMinutes = 10
const maxTries = 5

export class ReviewLocks {
  private constructor(
    private readonly passcodes: RecordTable<PasscodeRecord>,
    private readonly codes: RecordTable<CodeRecord>,
    private readonly cipher: TokenCipher,
    private readonly clock: Clock,
  ) {}

  static async open(records: Records, cipher: TokenCipher, clock: Clock): Promise<ReviewLocks> {
    return new ReviewLocks(
      await records.table<PasscodeRecord>({ table: 'review_passcodes', indexed: ['clientId', 'expiresAt'] }),
      await records.table<CodeRecord>({ table: 'review_codes', indexed: ['clientId', 'expiresAt'] }),
      cipher,
      clock,
    )
  }

  setPasscode(of: PasscodeRecord): Promise<void> {
    return this.passcodes.put(of)
  }

  /** Of a link that was refused or revoked. */
  async removePasscode(linkId: string): Promise<void> {
    await this.passcodes.remove(linkId)
  }

  /** Null: the link has none. */
  async passcodeHash(linkId: string): Promise<string | null> {
    return (await this.passcodes.get(linkId))?.record.hash ?? null
  }

  /** Returns a new code, after which an earlier one opens nothing. */
  async newCode(tokenId: string, clientId: string): Promise<string> {
    const code = String(randomInt(1_000_000)).padStart(6, '0')
    const expiresAt = later(this.clock.now(), codeMinutes * 60_000)
    await this.codes.put({ id: tokenId, clientId, digest: this.#digest(tokenId, code), tries: 0, expiresAt })
    return code
  }

  /** Counts the try; the right code works once. */
  async isCode(tokenId: string, code: string): Promise<boolean> {
    for (;;) {
      const found = await this.codes.get(tokenId)
      if (found === null || found.record.expiresAt <= this.clock.now() || found.record.tries >= maxTries) return false
      const isRight = timingSafeEqual(Buffer.from(found.record.digest), Buffer.from(this.#digest(tokenId, code)))
      const isCounted = isRight
        ? await this.codes.remove(tokenId, found.version)
        : await this.codes.replace({ ...found.record, tries: found.record.tries + 1 }, found.version)
      // Another try came in between: this one counts after it.
      if (isCounted) return isRight
    }
  }

  async removeOf(clientId: string): Promise<void> {
    await removeAll(this.passcodes, 'clientId', clientId)
    await removeAll(this.codes, 'clientId', clientId)
  }

  async sweep(): Promise<void> {
    await this.codes.removeBefore('expiresAt', this.clock.now())
    await this.passcodes.removeBefore('expiresAt', this.clock.now())
  }

  /** With the server's key: of six digits, a plain hash is found at once. */
  #digest(tokenId: string, code: string): string {
    return this.cipher.digest('review code', `${tokenId}\0${code}`)
  }
}

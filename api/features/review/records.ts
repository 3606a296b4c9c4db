/** What reviews keep outside of the log: digests of addresses, names, words and locks. */
import type { Clock } from '../../core/clock.ts'
import type { TokenCipher } from '../../networks/token-cipher.ts'
import type { Records } from '../../records/port.ts'
import { ErasedPeople } from './erased.ts'
import { ReviewLocks } from './locks.ts'
import { ReviewNotes } from './notes.ts'
import { Reviewers } from './reviewers.ts'
import { ReviewTokens } from './tokens.ts'

export class ReviewRecords {
  private constructor(
    readonly tokens: ReviewTokens,
    readonly people: Reviewers,
    readonly locks: ReviewLocks,
    readonly notes: ReviewNotes,
    readonly erased: ErasedPeople,
  ) {}

  static async open(records: Records, cipher: TokenCipher, clock: Clock): Promise<ReviewRecords> {
    const erased = await ErasedPeople.open(records, clock)
    return new ReviewRecords(
      await ReviewTokens.open(records, cipher, clock),
      await Reviewers.open(records, clock, erased),
      await ReviewLocks.open(records, cipher, clock),
      await ReviewNotes.open(records, erased),
      erased,
    )
  }

  /** Deletes those of a removed client. */
  async removeOf(clientId: string): Promise<void> {
    for (const each of [this.tokens, this.people, this.locks, this.notes]) await each.removeOf(clientId)
  }

  /** Deletes what is over. */
  async sweep(): Promise<void> {
    for (const each of [this.tokens, this.people, this.locks, this.erased]) await each.sweep()
  }
}

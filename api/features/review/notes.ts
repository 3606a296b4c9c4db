/** The words of reviewers. Events have salted digests of them, so that they stay provable and can be erased. */
import { randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { wordsDigest } from '../../../domain/discussion/hashes.ts'
import type { Records, RecordTable } from '../../records/port.ts'
import { removeAll } from '../../records/remove-all.ts'
import type { ErasedPeople } from './erased.ts'

export interface ReviewNote {
  readonly id: string
  readonly postId: string
  readonly agencyId: string
  readonly clientId: string
  readonly reviewerId: string
  readonly text: string
  readonly salt: string
}

/** What an event has of a note. */
export interface NoteRef {
  readonly noteId: string | null
  readonly noteDigest: string | null
}

export class ReviewNotes {
  private constructor(
    private readonly records: RecordTable<ReviewNote>,
    private readonly erased: ErasedPeople,
  ) {}

  static async open(records: Records, erased: ErasedPeople): Promise<ReviewNotes> {
    return new ReviewNotes(
      await records.table<ReviewNote>({ table: 'review_notes', indexed: ['postId', 'clientId', 'reviewerId'] }),
      erased,
    )
  }

  /** Before its event. An empty note is none. @throws Problem 403 for a person who is erased meanwhile */
  async put(of: Omit<ReviewNote, 'id' | 'salt'>): Promise<NoteRef> {
    if (of.text === '') return { noteId: null, noteDigest: null }
    const note = { ...of, id: uuidv7(), salt: randomBytes(16).toString('hex') }
    await this.records.put(note)
    await this.erased.undoIf(of.reviewerId, () => this.records.remove(note.id))
    return { noteId: note.id, noteDigest: wordsDigest(note.salt, note.text) }
  }

  /** Null: there was none, or it was erased. */
  async get(id: string): Promise<ReviewNote | null> {
    return (await this.records.get(id))?.record ?? null
  }

  /** Of an event that was not appended. */
  async remove({ noteId }: NoteRef): Promise<void> {
    if (noteId !== null) await this.records.remove(noteId)
  }

  /** Those that are left of a person, at most 100. */
  ofReviewer(reviewerId: string): Promise<readonly ReviewNote[]> {
    return this.records.find('reviewerId', reviewerId)
  }

  erase(reviewerId: string): Promise<void> {
    return removeAll(this.records, 'reviewerId', reviewerId)
  }

  removeOf(clientId: string): Promise<void> {
    return removeAll(this.records, 'clientId', clientId)
  }
}

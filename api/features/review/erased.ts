/**
 * Marks of people who are erased. A request of theirs may be under way: after each write about a person it looks for
 * the mark, and undoes the write. The mark has ids alone.
 */
import type { Instant } from '../../../domain/core/event.ts'
import { later, type Clock } from '../../core/clock.ts'
import { problemOf } from '../../http/sentences.ts'
import type { Records, RecordTable } from '../../records/port.ts'

interface Mark {
  /** Of a reviewer or a contact. */
  readonly id: string
  readonly expiresAt: Instant
}

/** Longer than any request takes. */
const keptMs = 86_400_000

export class ErasedPeople {
  private constructor(
    private readonly marks: RecordTable<Mark>,
    private readonly clock: Clock,
  ) {}

  static async open(records: Records, clock: Clock): Promise<ErasedPeople> {
    return new ErasedPeople(
      await records.table<Mark>({
        table: 'erased_people',
        indexed: ['expiresAt'],
      }),
      clock,
    )
  }

  /** Before anything is looked up or erased. */
  mark(id: string): Promise<void> {
    return this.marks.put({ id, expiresAt: later(this.clock.now(), keptMs) })
  }

  async has(id: string | null): Promise<boolean> {
    return id !== null && (await this.marks.get(id)) !== null
  }

  /** @throws Problem 403 once the person is erased, after the write was undone */
  async undoIf(id: string | null, undo: () => Promise<unknown>): Promise<void> {
    if (!(await this.has(id))) return
    await undo()
    throw problemOf({ reason: 'link-revoked' })
  }

  async sweep(): Promise<void> {
    await this.marks.removeBefore('expiresAt', this.clock.now())
  }
}

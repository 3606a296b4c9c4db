/** What the look-ups of unknown outcomes have seen: shared by the workers, and shown to the user who decides. */
import type { Instant } from '../../../domain/core/event.ts'
import { later } from '../../core/clock.ts'
import type { RecordTable, Records } from '../../records/port.ts'

export interface Look {
  /** The attempt's id. */
  readonly id: string
  /** The last look-up. */
  readonly at: Instant
  readonly times: number
  /** Why it decided nothing; null when the network listed its posts without this one. */
  readonly cause: string | null
  /** Null after the last look-up. */
  readonly nextAt: Instant | null
}

const keptMs = 30 * 24 * 3_600_000

export class OutcomeLooks {
  #table: Promise<RecordTable<Look>> | null = null

  constructor(private readonly records: Records) {}

  async of(attemptId: string): Promise<Look | null> {
    return (await (await this.#opened()).get(attemptId))?.record ?? null
  }

  async add(look: Omit<Look, 'times'>): Promise<void> {
    const table = await this.#opened()
    const times = ((await table.get(look.id))?.record.times ?? 0) + 1
    await table.put({ ...look, times })
    await table.removeBefore('at', later(look.at, -keptMs))
  }

  #opened(): Promise<RecordTable<Look>> {
    if (this.#table) return this.#table
    const opening = this.records.table<Look>({ table: 'outcome_looks', indexed: ['at'] })
    this.#table = opening
    // The next call retries a failed opening.
    opening.catch(() => (this.#table = null))
    return opening
  }
}

/**
 * When the planner has to look at each agency next, for all planners together: a round reads only what is due. The
 * table holds no decision: a look reads the log. A missed event would cost a day at most where posts are planned, and
 * 30 days where none are.
 */
import { randomUUID } from 'node:crypto'
import type { Instant } from '../../../domain/core/event.ts'
import { clockDifferenceMs, later, type Clock } from '../../core/clock.ts'
import type { RecordDefinition, RecordTable, Records } from '../../records/port.ts'

export interface AgendaEntry {
  /** The agency's id. */
  readonly id: string
  readonly dueAt: Instant
  /** When the entry was written. One from the future comes from a clock that ran ahead: its `dueAt` is wrong too. */
  readonly notedAt: Instant
  /** The look in progress, or the last one; empty after an event that concerns the agency. */
  readonly look: string
}

export const agendaTable = {
  table: 'planner_agenda',
  indexed: ['dueAt', 'notedAt'],
} as const satisfies RecordDefinition<AgendaEntry>

/** Sorts after all dates. */
const afterDates = ':'

export class Agenda {
  private constructor(
    private readonly table: RecordTable<AgendaEntry>,
    private readonly clock: Clock,
    private readonly holdMs: number,
  ) {}

  /** @param holdMs after this time another planner looks at an agency whose planner died; 0 for a single planner */
  static async open(records: Records, clock: Clock, holdMs: number): Promise<Agenda> {
    return new Agenda(await records.table<AgendaEntry>(agendaTable), clock, holdMs)
  }

  /** The agencies to look at, longest due first; last those whose entry is from the future. */
  async due(limit: number): Promise<readonly string[]> {
    const now = this.clock.now()
    const future = { from: later(now, clockDifferenceMs), below: afterDates }
    const [first, wrong] = await Promise.all([
      this.table.first('dueAt', limit),
      this.table.first('notedAt', limit, future),
    ])
    const due = [...first.filter(({ dueAt }) => dueAt <= now), ...wrong].map(({ id }) => id)
    return [...new Set(due)].slice(0, limit)
  }

  /** An event concerns the agency: it is due at once, and again after a look that is in progress. */
  async wake(agencyId: string): Promise<void> {
    const now = this.clock.now()
    const found = await this.table.get(agencyId)
    if (found?.record.look === '' && found.record.dueAt <= now) return
    await this.table.put({ id: agencyId, dueAt: now, notedAt: now, look: '' })
  }

  /** Begins a look, and returns its id; null when another planner began one first. */
  async begin(agencyId: string): Promise<string | null> {
    const found = await this.table.get(agencyId)
    if (!found) return null
    const look = randomUUID()
    const now = this.clock.now()
    // Without a hold, the agency stays due until the look ends: a crash repeats it.
    const entry = { id: agencyId, dueAt: later(now, this.holdMs), notedAt: now, look }
    return (await this.table.replace(entry, found.version)) ? look : null
  }

  /** Ends a look. An event meanwhile keeps the agency due. */
  async end(agencyId: string, look: string, dueAt: Instant): Promise<void> {
    const found = await this.table.get(agencyId)
    if (found?.record.look !== look) return
    await this.table.replace({ id: agencyId, dueAt, notedAt: this.clock.now(), look }, found.version)
  }
}

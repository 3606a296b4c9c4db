/**
 * When the planner has to look at each agency next, for all planners together: a round reads only what is due. The
 * table holds no decision: a look reads the log, and a lost entry would cost a day at most.
 */
import { randomUUID } from 'node:crypto'
import type { Instant } from '../../../domain/core/event.ts'
import { later, type Clock } from '../../core/clock.ts'
import type { RecordDefinition, RecordTable, Records } from '../../records/port.ts'

interface Entry {
  /** The agency's id. */
  readonly id: string
  readonly dueAt: Instant
  /** The look in progress, or the last one; empty after an event that concerns the agency. */
  readonly look: string
}

export const agendaTable = { table: 'planner_agenda', indexed: ['dueAt'] } as const satisfies RecordDefinition<Entry>

export class Agenda {
  private constructor(
    private readonly table: RecordTable<Entry>,
    private readonly clock: Clock,
    private readonly holdMs: number,
  ) {}

  /** @param holdMs after this time another planner looks at an agency whose planner died; 0 for a single planner */
  static async open(records: Records, clock: Clock, holdMs: number): Promise<Agenda> {
    return new Agenda(await records.table<Entry>(agendaTable), clock, holdMs)
  }

  /** The agencies to look at, longest due first. */
  async due(limit: number): Promise<readonly string[]> {
    const now = this.clock.now()
    return (await this.table.first('dueAt', limit)).filter(({ dueAt }) => dueAt <= now).map(({ id }) => id)
  }

  /** An event concerns the agency: it is due at once, and again after a look that is in progress. */
  async wake(agencyId: string): Promise<void> {
    const dueAt = this.clock.now()
    const found = await this.table.get(agencyId)
    if (found?.record.look === '' && found.record.dueAt <= dueAt) return
    await this.table.put({ id: agencyId, dueAt, look: '' })
  }

  /** Begins a look, and returns its id; null when another planner began one first. */
  async begin(agencyId: string): Promise<string | null> {
    const found = await this.table.get(agencyId)
    if (!found) return null
    const look = randomUUID()
    const held = later(this.clock.now(), this.holdMs)
    const dueAt = this.holdMs > 0 ? held : found.record.dueAt
    return (await this.table.replace({ id: agencyId, dueAt, look }, found.version)) ? look : null
  }

  /** Ends a look. An event meanwhile keeps the agency due. */
  async end(agencyId: string, look: string, dueAt: Instant): Promise<void> {
    const found = await this.table.get(agencyId)
    if (found?.record.look === look) await this.table.replace({ id: agencyId, dueAt, look }, found.version)
  }
}

/**
 * When each connection has to be checked next, for all token refreshers together: a round reads only what is due. An
 * entry comes with the event of its connection, and goes when a check finds no connection any more.
 */
import type { ClientEvent } from '../../../domain/client/events.ts'
import type { Instant, Position, Recorded } from '../../../domain/core/event.ts'
import { events as catalogue, recorded } from '../../../domain/event-store/catalogue.ts'
import type { EventStore } from '../../../domain/event-store/port.ts'
import { clockDifferenceMs, later, type Clock } from '../../core/clock.ts'
import type { AccountOf } from '../../networks/connections.ts'
import type { RecordDefinition, RecordTable, Records } from '../../records/port.ts'
import { moveOn, type Checkpoint } from '../checkpoint.ts'
import { partOfAccount } from '../work-shares.ts'

export interface ConnectionCheck extends Omit<AccountOf, 'accountId'> {
  /** The account's id. */
  readonly id: string
  /** The part of the work that the account belongs to, and when it is due: each worker reads those of its parts. */
  readonly due: string
  /** The id of the event that connected it; later events have greater ids. */
  readonly eventId: string
}

export const checkScheduleTable = {
  table: 'connection_checks',
  indexed: ['due'],
} as const satisfies RecordDefinition<ConnectionCheck>

type Connected = Extract<ClientEvent, { type: 'SocialAccountConnected' }>

/** A connection whose check has begun. */
export interface BegunCheck {
  readonly account: AccountOf
  /** Sets the time of the next check; null removes the entry. A connection made meanwhile keeps its own time. */
  end(dueAt: Instant | null): Promise<void>
}

const checkpointId = 'token-refresher'
/** Changes of the records that are under way at once. */
const atOnce = 100

const keyOf = (accountId: string, dueAt: Instant) => `${partOfAccount(accountId)} ${dueAt}`
const dueAtOf = ({ due }: ConnectionCheck): Instant => due.slice(due.indexOf(' ') + 1)

export class CheckSchedule {
  private constructor(
    private readonly table: RecordTable<ConnectionCheck>,
    private readonly checkpoints: RecordTable<Checkpoint>,
    private readonly clock: Clock,
    private readonly longestMs: number,
  ) {}

  /** @param longestMs no check is planned further ahead: a later date comes from a clock that ran ahead, and is due */
  static async open(records: Records, clock: Clock, longestMs: number): Promise<CheckSchedule> {
    return new CheckSchedule(
      await records.table<ConnectionCheck>(checkScheduleTable),
      await records.table<Checkpoint>({ table: 'checkpoints' }),
      clock,
      longestMs,
    )
  }

  /** The accounts of a part that are due, longest due first, at most `limit`; last those with an impossible date. */
  async due(part: string, limit: number): Promise<readonly string[]> {
    const { now, latest } = this.#dueTimes()
    const reached = { from: `${part} `, below: `${part} ${later(now, 1)}` }
    // An exclamation mark sorts right after the space.
    const impossible = { from: `${part} ${later(latest, 1)}`, below: `${part}!` }
    const found = await Promise.all([reached, impossible].map((range) => this.table.first('due', limit, range)))
    return found
      .flat()
      .slice(0, limit)
      .map(({ id }) => id)
  }

  /** Null when the connection is no longer due: it was checked or connected meanwhile. */
  async begin(accountId: string): Promise<BegunCheck | null> {
    const found = await this.table.get(accountId)
    if (!found) return null
    const { record, version } = found
    const { now, latest } = this.#dueTimes()
    const dueAt = dueAtOf(record)
    if (dueAt > now && dueAt <= latest) return null
    const { id, clientId, agencyId, platform } = record
    return {
      account: { accountId: id, clientId, agencyId, platform },
      end: async (dueAt) => {
        if (dueAt === null) await this.table.remove(id, version)
        else await this.table.replace({ ...record, due: keyOf(id, dueAt) }, version)
      },
    }
  }

  /**
   * Adds an entry for each connection of the log, until the signal aborts.
   * @param firstCheck when a connection is checked first; `isNew` for one made after the call
   */
  async follow(
    events: Pick<EventStore, 'subscribe' | 'end'>,
    signal: AbortSignal,
    firstCheck: (accountId: string, isNew: boolean) => Instant,
  ): Promise<void> {
    const end = await events.end()
    const position = (await this.checkpoints.get(checkpointId))?.record.position ?? null
    const moveTo = (reached: Position) => moveOn(this.checkpoints, { id: checkpointId, position: reached })
    const filter = { names: catalogue.namesOf(['SocialAccountConnected']) }
    for await (const batch of events.subscribe(position, filter, signal, moveTo)) {
      const connected = batch.map((stored) => recorded(stored) as Recorded<Connected>)
      for (let from = 0; from < connected.length; from += atOnce)
        await Promise.all(
          connected.slice(from, from + atOnce).map((event) => {
            const isNew = end === null || event.position > end
            return this.#add(event, firstCheck(event.data.accountId, isNew))
          }),
        )
      const last = batch.at(-1)
      if (last) await moveTo(last.position)
    }
  }

  /** A check is due up to `now`, or later than `latest`. */
  #dueTimes(): { readonly now: Instant; readonly latest: Instant } {
    const now = this.clock.now()
    return { now, latest: later(now, this.longestMs + clockDifferenceMs) }
  }

  async #add({ stream, data, metadata }: Recorded<Connected>, dueAt: Instant): Promise<void> {
    const { accountId: id, platform } = data
    const { agencyId, eventId } = metadata
    const clientId = stream.slice(stream.indexOf('-') + 1)
    const entry: ConnectionCheck = { id, clientId, agencyId, platform, eventId, due: keyOf(id, dueAt) }
    for (;;) {
      const found = await this.table.get(id)
      // Another worker follows the same log.
      if (found && found.record.eventId >= eventId) return
      if (found ? await this.table.replace(entry, found.version) : await this.table.insert(entry)) return
    }
  }
}

/** The log in one SQLite file owned by this process. */
import type { Position, ChainedEvent } from '../core/event.ts'
import { mustFit } from './append-size.ts'
import { yieldToEventLoop } from './yield-to-event-loop.ts'
import { countAfter } from './embedded-count.ts'
import { COLUMNS, FIRST_ROWS, fitting, nextLimit, pageSql, size, SIZES } from './embedded-pages.ts'
import type { Batch, EventFilter, EventStore, ExpectedRevision, OnPassed } from './port.ts'
import { StoreUnavailable, WrongExpectedRevision } from './port.ts'
import { readable, toEvent, toNumber, toPosition } from './rows.ts'
import type { Row } from './sqlite.ts'
import { isStorable, SqliteFile, storable } from './sqlite.ts'
import { Tail } from './tail.ts'

export interface EmbeddedEventStoreOptions {
  /** Maximum size of the file in 4 kB pages, default none. Appends beyond it are rejected like on a full disk. */
  readonly maxPages?: number
  /** `NORMAL` for a copy that counts only once the whole file is on disk. Default `FULL`. */
  readonly synchronous?: 'FULL' | 'NORMAL'
}

/**
 * Opens the log at `file`, and creates it if missing.
 * @throws StoreUnavailable when another process, or this one, already has it open, or it can't be opened
 */
export async function openEmbeddedEventStore(
  file: string,
  options: EmbeddedEventStoreOptions = {},
): Promise<EventStore> {
  const sqlite = new SqliteFile(file, { synchronous: 'FULL', maxGroupWaitMs, cacheMB: 8, ...options })
  sqlite.exec(SCHEMA)
  return new EmbeddedEventStore(sqlite)
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS events (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    stream TEXT NOT NULL, revision INTEGER NOT NULL, name TEXT NOT NULL,
    data TEXT NOT NULL, metadata TEXT NOT NULL
  );
  CREATE UNIQUE INDEX IF NOT EXISTS events_of_stream ON events (stream, revision);
  CREATE INDEX IF NOT EXISTS events_of_name ON events (name);`

/** Less than a flush takes on most disks: under load, waiting for other appends costs less than a flush for each. */
const maxGroupWaitMs = 5
const STREAMS_IN_MEMORY = 50_000

interface Encoded {
  readonly name: string
  readonly eventId: string
  readonly data: string
  readonly metadata: string
}

class EmbeddedEventStore implements EventStore {
  readonly #sqlite: SqliteFile
  readonly #tail: Tail
  #head: number
  /** Last revisions of recently used streams. Only this process writes the file, so they are reliable. */
  readonly #ends = new Map<string, number>()
  #open = true

  constructor(sqlite: SqliteFile) {
    this.#sqlite = sqlite
    this.#head = Number(sqlite.prepare('SELECT max(position) FROM events').get()?.[0] ?? 0)
    this.#tail = new Tail(this.#head)
  }

  async append(stream: string, expected: ExpectedRevision, events: readonly ChainedEvent[]): Promise<Position> {
    if (events.length === 0) throw new RangeError('Nothing to append')
    // Checked before the transaction, because an event rejected midway would leave the earlier ones written.
    storable([stream, ...events.map(({ name }) => name)])
    const encoded = events.map(({ name, data, metadata }) => ({
      name,
      eventId: metadata.eventId,
      data: JSON.stringify(data),
      metadata: JSON.stringify(metadata),
    }))
    mustFit(stream, encoded)
    const { last } = await this.#sqlite.durably(
      () => this.#decide(stream, expected, encoded),
      ({ rows }) => this.#committed(rows),
    )
    return toPosition(last)
  }

  async *read(stream: string, from = 0): AsyncIterable<Batch> {
    const statement = this.#sqlite.prepare(
      `SELECT ${COLUMNS} FROM events e WHERE stream = ? AND revision >= ? ORDER BY revision LIMIT ?`,
    )
    const sizes = this.#sqlite.prepare(SIZES)
    if (!isStorable(stream)) return
    this.#assertOpen()
    // Most loads only check for newer events.
    if (from > (this.#ends.get(stream) ?? Number.POSITIVE_INFINITY)) return
    let limit = FIRST_ROWS
    for (let next = from; ;) {
      const rows = statement.all([stream, next, limit])
      const events = rows.map(toEvent)
      const last = events.at(-1)?.revision
      const isEnd = events.length < limit
      // Set before the batch is yielded: its consumer may append meanwhile.
      if (isEnd && last !== undefined) this.#endsAt(stream, last)
      if (events.length > 0) yield events
      if (isEnd) return
      next += events.length
      await yieldToEventLoop()
      // Texts differ in size by a factor of a thousand, so an average can't predict the next page.
      limit = fitting(sizes.all([stream, next]))
    }
  }

  async *readAll(after: Position | null, filter?: EventFilter, onPassed?: OnPassed): AsyncIterable<Batch> {
    this.#assertOpen()
    const end = this.#head
    const names = nameSet(filter)
    let cursor = toNumber(after)
    let limit = 256
    while (cursor < end) {
      const page = this.#page(cursor, end, names, limit)
      if (page.events.length > 0) yield page.events
      cursor = page.reached
      limit = page.nextLimit
      if (cursor < end) await yieldToEventLoop()
    }
    if (end > Math.max(0, toNumber(after))) await onPassed?.(toPosition(end))
  }

  async *subscribe(after: Position | null, filter: EventFilter | undefined, signal: AbortSignal): AsyncIterable<Batch> {
    const names = nameSet(filter)
    let cursor = toNumber(after)
    let limit = 256
    while (!signal.aborted) {
      this.#assertOpen()
      // The check and the wait happen in the same tick, so that no append is missed.
      if (cursor >= this.#head) {
        await this.#tail.appended(signal)
        continue
      }
      const fresh = this.#tail.since(cursor, names)
      if (fresh) {
        cursor = this.#head
        if (fresh.length > 0) yield fresh
        continue
      }
      const page = this.#page(cursor, this.#head, names, limit)
      cursor = page.reached
      limit = page.nextLimit
      if (page.events.length > 0) yield page.events
      await yieldToEventLoop()
    }
  }

  async head(filter?: EventFilter): Promise<Position | null> {
    this.#assertOpen()
    if (filter?.names === undefined) return this.#head === 0 ? null : toPosition(this.#head)
    const newest = this.#sqlite.prepare('SELECT max(position) FROM events WHERE name = ?')
    const head = Math.max(0, ...filter.names.map((name) => Number(newest.get([name])?.[0] ?? 0)))
    return head === 0 ? null : toPosition(head)
  }

  end(): Promise<Position | null> {
    return this.head()
  }

  async count(after: Position | null, filter?: EventFilter): Promise<number> {
    this.#assertOpen()
    return countAfter(this.#sqlite, toNumber(after), filter?.names)
  }

  async close(): Promise<void> {
    if (!this.#open) return
    this.#open = false
    this.#sqlite.close()
    this.#tail.ring()
  }

  /** Runs inside the transaction; throws before it has written anything. */
  #decide(
    stream: string,
    expected: ExpectedRevision,
    events: readonly Encoded[],
  ): { last: number; rows: readonly Row[] } {
    const last = this.#sqlite.prepare('SELECT max(revision) FROM events WHERE stream = ?').get([stream])?.[0]
    const actual = Number(last ?? -1)
    const first = expected === 'no-stream' ? 0 : expected + 1
    if (actual + 1 !== first) {
      const original = actual + 1 > first ? this.#original(stream, first, events) : null
      if (original === null) throw new WrongExpectedRevision(stream, expected, actual)
      return { last: original, rows: [] }
    }
    const insert = this.#sqlite.prepare(
      'INSERT INTO events (stream, revision, name, data, metadata) VALUES (?, ?, ?, ?, ?)',
    )
    const rows = events.map(({ name, data, metadata }, index): Row => {
      const position = insert.run([stream, first + index, name, data, metadata]).lastInsertRowid
      return [position, stream, first + index, name, data, metadata]
    })
    return { last: Number(rows.at(-1)?.[0]), rows }
  }

  /**
   * The original position of these same events, stored by an append whose answer was lost; null if other events are
   * there.
   */
  #original(stream: string, first: number, events: readonly Encoded[]): number | null {
    const stored = this.#sqlite
      .prepare(`SELECT ${COLUMNS} FROM events e WHERE stream = ? AND revision >= ? ORDER BY revision LIMIT ?`)
      .all([stream, first, events.length])
      .map(toEvent)
    const same =
      stored.length === events.length && stored.every((event, i) => event.metadata.eventId === events[i]?.eventId)
    return same ? toNumber(stored.at(-1)?.position ?? null) : null
  }

  #committed(rows: readonly Row[]): void {
    if (rows.length === 0) return
    for (const row of rows) {
      this.#head = Number(row[0])
      this.#endsAt(String(row[1]), Number(row[2]))
      this.#tail.push(this.#head, String(row[3]), size(row), () => toEvent(row))
    }
    this.#tail.ring()
  }

  #endsAt(stream: string, revision: number): void {
    if (this.#ends.size >= STREAMS_IN_MEMORY && !this.#ends.has(stream)) this.#ends.clear()
    this.#ends.set(stream, revision)
  }

  #page(after: number, end: number, names: ReadonlySet<string> | undefined, limit: number) {
    if (names?.size === 0) return { events: [], reached: end, nextLimit: limit }
    const rows = this.#sqlite.prepare(pageSql(names?.size)).all([after, end, limit, ...(names ?? [])])
    const events = readable(rows)
    const isEnd = rows.length < limit && events.length === rows.length
    return { events, reached: isEnd ? end : Number(rows[events.length - 1]?.[0]), nextLimit: nextLimit(rows) }
  }

  #assertOpen(): void {
    if (!this.#open) throw new StoreUnavailable('The event store is closed')
  }
}

function nameSet(filter: EventFilter | undefined): ReadonlySet<string> | undefined {
  return filter?.names && new Set(filter.names)
}

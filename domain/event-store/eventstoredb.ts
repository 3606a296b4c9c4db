/** The log in EventStoreDB (or KurrentDB), through its own client. */
import { setMaxListeners } from 'node:events'
import { BACKWARDS, END, START, type ResolvedEvent } from '@eventstore/db-client'
import type { Position, ChainedEvent, StoredEvent } from '../core/event.ts'
import { appendUntilKnown, type Through, type Timeouts } from './eventstoredb-append.ts'
import { batchesOf } from './eventstoredb-batches.ts'
import { Clients } from './eventstoredb-client.ts'
import { toEvent, toPlace, toPosition } from './eventstoredb-events.ts'
import { subscribeTo, taken, type Item, type Taken } from './eventstoredb-filtered.ts'
import { boundsOf, ofLeader, type Opened } from './eventstoredb-reads.ts'
import { Troubles, type Right } from './eventstoredb-trouble.ts'
import type { Batch, EventFilter, EventStore, ExpectedRevision, OnPassed } from './port.ts'
import { StoreUnavailable, WrongExpectedRevision } from './port.ts'

export const defaultTimeouts: Timeouts = { answerMs: 5_000, appendMs: 10_000, betweenTriesMs: 200 }
const lastFew = 32
/** A subscription is silent where nothing is written: a small read finds out whether its node of a cluster answers. */
const heartbeatMs = 5_000
/** A node of a cluster names its leader to a call that requires the leader; the client then goes there. */
const requiresLeader = true

/**
 * Credentials, TLS and the cluster's nodes are part of the URL (`esdb://…`).
 * Does not wait for the server: requests during an outage fail with StoreUnavailable, and succeed once it is back.
 */
export function openEventStoreDB(url: string, timeouts = defaultTimeouts): EventStore {
  return new EventStoreDB({ clients: new Clients(url), troubles: new Troubles(url), timeouts })
}

class EventStoreDB implements EventStore {
  readonly #closing = new AbortController()
  readonly #appending = new Set<Promise<unknown>>()
  #subscriptions = 0
  #heartbeat: NodeJS.Timeout | undefined

  constructor(private readonly through: Through) {
    // Each read adds a listener, and the number of concurrent reads has no limit.
    setMaxListeners(0, this.#closing.signal)
  }

  async append(stream: string, expected: ExpectedRevision, events: readonly ChainedEvent[]): Promise<Position> {
    if (events.length === 0) throw new RangeError('Nothing to append')
    this.#assertOpen()
    const appending = this.#append(stream, expected, events)
    this.#appending.add(appending)
    try {
      return await appending
    } finally {
      this.#appending.delete(appending)
    }
  }

  async *read(stream: string, from = 0): AsyncIterable<Batch> {
    this.#assertOpen()
    const fromRevision = BigInt(from)
    const open: Opened = ({ client }) => client.readStream(stream, { fromRevision, requiresLeader })
    yield* this.#ofLeader('read streams', open, toEvents)
    this.#assertOpen()
  }

  async *readAll(after: Position | null, filter?: EventFilter, onPassed?: OnPassed): AsyncIterable<Batch> {
    this.#assertOpen()
    if (filter?.names?.length === 0) return
    const isFresh = matching(filter, after)
    // Asked before: what was in the log by then is delivered once the subscription has caught up.
    const end = onPassed && filter?.names ? await this.end() : null
    let reached = after
    const passes = async (position: Position | null) => {
      if (position === null || (reached !== null && position <= reached)) return
      reached = position
      await onPassed?.(position)
    }
    for await (const { events, passed, isCaughtUp } of filter?.names
      ? this.#matches(after, filter)
      : this.#everything(after)) {
      const fresh = events.filter(isFresh)
      if (fresh.length > 0) yield fresh
      reached = fresh.at(-1)?.position ?? reached
      await passes(passed)
      if (!isCaughtUp) continue
      await passes(end)
      break
    }
    this.#assertOpen()
  }

  async *subscribe(
    after: Position | null,
    filter: EventFilter | undefined,
    signal: AbortSignal,
    onPassed?: OnPassed,
  ): AsyncIterable<Batch> {
    this.#assertOpen()
    if (signal.aborted) return
    const stop = AbortSignal.any([signal, this.#closing.signal])
    const isFresh = matching(filter, after)
    const use = this.through.clients.current
    const source = subscribeTo(use.client, after, filter, false)
    this.#count(1)
    try {
      for await (const items of batchesOf<Item>(source, {
        ...boundsOf(this.through, use),
        pauseMs: null,
        signal: stop,
      })) {
        const { events, passed } = taken(items)
        const fresh = events.filter(isFresh)
        if (fresh.length > 0) yield fresh
        if (signal.aborted) return
        if (passed !== null) await onPassed?.(passed)
      }
    } catch (error) {
      throw await this.through.troubles.of(error, 'read $all')
    } finally {
      this.#count(-1)
    }
    this.#assertOpen()
    if (!signal.aborted) throw new StoreUnavailable('EventStoreDB ended the subscription')
  }

  async head(filter?: EventFilter): Promise<Position | null> {
    this.#assertOpen()
    if (filter?.names?.length === 0) return null
    const isWanted = matching(filter, null)
    // The newest match is usually among the last few events; the server's own events lie between them.
    for (const maxCount of [lastFew, Number.MAX_SAFE_INTEGER]) {
      const backwards = { direction: BACKWARDS, fromPosition: END, maxCount, requiresLeader } as const
      for await (const batch of this.#ofLeader('read $all', ({ client }) => client.readAll(backwards), toEvents)) {
        const newest = batch.find(isWanted)
        if (newest) return newest.position
      }
      this.#assertOpen()
    }
    return null
  }

  async end(): Promise<Position | null> {
    this.#assertOpen()
    const backwards = { direction: BACKWARDS, fromPosition: END, maxCount: 1, requiresLeader } as const
    const places = (items: readonly ResolvedEvent[]) => items.flatMap(({ event }) => event?.position ?? [])
    for await (const [last] of this.#ofLeader('read $all', ({ client }) => client.readAll(backwards), places))
      if (last) return toPosition(last)
    this.#assertOpen()
    return null
  }

  async count(after: Position | null, filter?: EventFilter): Promise<number> {
    let count = 0
    for await (const batch of this.readAll(after, filter)) count += batch.length
    return count
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return
    this.#closing.abort()
    await Promise.allSettled(this.#appending)
    clearInterval(this.#heartbeat)
    await this.through.clients.close()
  }

  async #append(stream: string, expected: ExpectedRevision, events: readonly ChainedEvent[]): Promise<Position> {
    const outcome = await appendUntilKnown(this.through, stream, expected, events)
    if (outcome === 'conflict') throw new WrongExpectedRevision(stream, expected, await this.#lastRevision(stream))
    return outcome === 'stored' ? this.#standsAt(stream, expected, events.length) : outcome.position
  }

  /** Servers before version 20 don't return an append's position. */
  async #standsAt(stream: string, expected: ExpectedRevision, count: number): Promise<Position> {
    const last = (expected === 'no-stream' ? -1 : expected) + count
    for await (const batch of this.read(stream, last)) for (const { position } of batch) return position
    throw new StoreUnavailable(`EventStoreDB doesn't return the events that it stored in ${stream}`)
  }

  /** Until it has caught up. A read of the log has no filter: it would transfer every event. */
  #matches(after: Position | null, filter: EventFilter): AsyncIterable<Taken> {
    return this.#ofLeader<Item, Taken>(
      'read $all',
      ({ client }) => subscribeTo(client, after, filter, requiresLeader),
      taken,
    )
  }

  #everything(after: Position | null): AsyncIterable<Taken> {
    const fromPosition = after === null ? START : toPlace(after)
    return this.#ofLeader<Item, Taken>(
      'read $all',
      ({ client }) => client.readAll({ fromPosition, requiresLeader }),
      taken,
    )
  }

  async #lastRevision(stream: string): Promise<number> {
    let last = -1
    const backwards = { direction: BACKWARDS, fromRevision: END, maxCount: 1, requiresLeader } as const
    for await (const batch of this.#ofLeader(
      'read streams',
      ({ client }) => client.readStream(stream, backwards),
      toEvents,
    ))
      last = batch.at(-1)?.revision ?? last
    return last
  }

  /** A read that has everything appended before. */
  #ofLeader<Item, Batch>(right: Right, open: Opened, from: (items: Item[]) => Batch): AsyncIterable<Batch> {
    return ofLeader(this.through, this.#closing.signal, { right, open, from })
  }

  #count(change: 1 | -1): void {
    this.#subscriptions += change
    if (!this.through.clients.isCluster) return
    if (this.#subscriptions > 0) {
      this.#heartbeat ??= setInterval(() => void this.end().catch(() => undefined), heartbeatMs).unref()
    } else {
      clearInterval(this.#heartbeat)
      this.#heartbeat = undefined
    }
  }

  #assertOpen(): void {
    if (this.#closing.signal.aborted) throw new StoreUnavailable('The event store is closed')
  }
}

const toEvents = (items: readonly ResolvedEvent[]): StoredEvent[] => items.flatMap(toEvent)

/** Whether an event matches, and is not among those at or before a position that the server repeats. */
function matching(filter: EventFilter | undefined, after: Position | null): (event: StoredEvent) => boolean {
  const names = filter?.names && new Set(filter.names)
  return ({ name, position }) => (names === undefined || names.has(name)) && (after === null || position > after)
}

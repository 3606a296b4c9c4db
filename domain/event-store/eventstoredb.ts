/** The log in EventStoreDB (or KurrentDB), through its own client. */
import { setMaxListeners } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import {
  BACKWARDS,
  END,
  EventStoreDBClient,
  jsonEvent,
  NO_STREAM,
  NotLeaderError,
  START,
  StreamNotFoundError,
  WrongExpectedVersionError,
  type ResolvedEvent,
} from '@eventstore/db-client'
import type { Position, ChainedEvent, StoredEvent } from '../core/event.ts'
import { batchesOf, type Source } from './eventstoredb-batches.ts'
import { toEvent, toPlace, toPosition } from './eventstoredb-events.ts'
import { subscribeTo, taken, type Item, type Taken } from './eventstoredb-filtered.ts'
import type { Batch, EventFilter, EventStore, ExpectedRevision, OnPassed } from './port.ts'
import { OutcomeUnknown, StoreUnavailable, WrongExpectedRevision } from './port.ts'

export interface Timeouts {
  /** For one request, and for a read's silence between two events. */
  readonly answerMs: number
  /** An append with an unknown outcome is retried this long: the same events at the same revision are stored once. */
  readonly appendMs: number
  readonly betweenTriesMs: number
}

export const defaultTimeouts: Timeouts = { answerMs: 5_000, appendMs: 10_000, betweenTriesMs: 200 }
const closeWithinMs = 2_000
const lastFew = 32
/**
 * The deadline of a batched append is a point in time, which the server compares with its own clock, and shortens to
 * its own limit (EventStoreDB 23.10, Streams.BatchAppend.cs: GetRequestedTimeout, _writeTimeout). It exceeds any
 * difference between two clocks; the client's timer ends the wait.
 */
const deadlineMs = 24 * 3_600_000
/** A node of a cluster names its leader to a call that requires the leader; the client then goes there. */
const requiresLeader = true
const maxLeaderTries = 5

/**
 * Credentials, TLS and the cluster's nodes are part of the URL (`esdb://…`).
 * Does not wait for the server: requests during an outage fail with StoreUnavailable, and succeed once it is back.
 */
export function openEventStoreDB(url: string, timeouts = defaultTimeouts): EventStore {
  return new EventStoreDB(EventStoreDBClient.connectionString(url), timeouts)
}

class EventStoreDB implements EventStore {
  readonly #closing = new AbortController()
  readonly #appending = new Set<Promise<unknown>>()

  constructor(
    private readonly client: EventStoreDBClient,
    private readonly timeouts: Timeouts,
  ) {
    // Each read adds a listener, and the number of concurrent reads has no limit.
    setMaxListeners(0, this.#closing.signal)
  }

  async append(stream: string, expected: ExpectedRevision, events: readonly ChainedEvent[]): Promise<Position> {
    if (events.length === 0) throw new RangeError('Nothing to append')
    this.#assertOpen()
    const appending = this.#appendUntilKnown(stream, expected, events)
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
    yield* this.#ofLeader(() => this.client.readStream(stream, { fromRevision, requiresLeader }), toEvents)
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
    const source = subscribeTo(this.client, after, filter, false)
    try {
      for await (const items of batchesOf<Item>(source, { pauseMs: null, signal: stop })) {
        const { events, passed } = taken(items)
        const fresh = events.filter(isFresh)
        if (fresh.length > 0) yield fresh
        if (signal.aborted) return
        if (passed !== null) await onPassed?.(passed)
      }
    } catch (error) {
      throw unavailable(error)
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
      for await (const batch of this.#ofLeader(() => this.client.readAll(backwards), toEvents)) {
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
    for await (const [last] of this.#ofLeader(() => this.client.readAll(backwards), places))
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
    await Promise.race([this.client.dispose(), setTimeout(closeWithinMs, undefined, { ref: false })])
  }

  async #appendUntilKnown(
    stream: string,
    expected: ExpectedRevision,
    events: readonly ChainedEvent[],
  ): Promise<Position> {
    const messages = events.map(({ name, data, metadata }) =>
      jsonEvent({ id: metadata.eventId, type: name, data, metadata: { ...metadata } }),
    )
    const until = performance.now() + this.timeouts.appendMs
    let mayBeStored = false
    for (;;) {
      try {
        const expectedRevision = expected === 'no-stream' ? NO_STREAM : BigInt(expected)
        const { success, position } = await within(
          this.timeouts.answerMs,
          this.client.appendToStream(stream, messages, { expectedRevision, deadline: deadlineMs, requiresLeader }),
        )
        // With `throwOnAppendFailure=false` the client reports a conflict like this, without the actual revision.
        if (!success) throw new WrongExpectedRevision(stream, expected, await this.#lastRevision(stream))
        if (position) return toPosition(position)
        return await this.#standsAt(stream, expected, events.length)
      } catch (error) {
        if (error instanceof WrongExpectedRevision) throw error
        if (error instanceof WrongExpectedVersionError)
          throw new WrongExpectedRevision(stream, expected, revisionOf(error.actualVersion))
        const away = unavailable(error)
        if (!(away instanceof StoreUnavailable)) throw away
        // The server rejects a wrong password before it reads the append: nothing was stored.
        if (isRefused(error) && !mayBeStored) throw away
        mayBeStored = true
        if (performance.now() + this.timeouts.betweenTriesMs > until)
          throw new OutcomeUnknown(away.message, { cause: error })
      }
      await setTimeout(this.timeouts.betweenTriesMs)
    }
  }

  /** Servers before version 20 don't return an append's position. */
  async #standsAt(stream: string, expected: ExpectedRevision, count: number): Promise<Position> {
    const last = (expected === 'no-stream' ? -1 : expected) + count
    for await (const batch of this.read(stream, last)) for (const { position } of batch) return position
    throw new StoreUnavailable(`EventStoreDB doesn't return the events that it stored in ${stream}`)
  }

  /** Until it has caught up. A read of the log has no filter: it would transfer every event. */
  #matches(after: Position | null, filter: EventFilter): AsyncIterable<Taken> {
    return this.#ofLeader<Item, Taken>(() => subscribeTo(this.client, after, filter, requiresLeader), taken)
  }

  #everything(after: Position | null): AsyncIterable<Taken> {
    const fromPosition = after === null ? START : toPlace(after)
    return this.#ofLeader<Item, Taken>(() => this.client.readAll({ fromPosition, requiresLeader }), taken)
  }

  async #lastRevision(stream: string): Promise<number> {
    let last = -1
    const backwards = { direction: BACKWARDS, fromRevision: END, maxCount: 1, requiresLeader } as const
    for await (const batch of this.#ofLeader(() => this.client.readStream(stream, backwards), toEvents))
      last = batch.at(-1)?.revision ?? last
    return last
  }

  /**
   * A read that has everything appended before: a follower may be behind. Nothing for an unknown stream. Tried again
   * where a node is no leader, or no longer.
   */
  async *#ofLeader<Item, Batch>(open: () => Source, from: (items: Item[]) => Batch): AsyncIterable<Batch> {
    for (let attempt = 1; ; attempt++) {
      let isBegun = false
      try {
        const bounds = { pauseMs: this.timeouts.answerMs, signal: this.#closing.signal }
        for await (const batch of batchesOf<Item>(open(), bounds)) {
          isBegun = true
          yield from(batch)
        }
        return
      } catch (error) {
        if (error instanceof StreamNotFoundError) return
        if (!(error instanceof NotLeaderError) || isBegun || attempt === maxLeaderTries) throw unavailable(error)
      }
      await setTimeout(this.timeouts.betweenTriesMs)
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

const revisionOf = (actual: unknown): number => (typeof actual === 'bigint' ? Number(actual) : -1)

/**
 * Any client error that is not the log's own answer: the server is down, restarting, overloaded, or rejects our
 * credentials.
 */
function unavailable(error: unknown): unknown {
  if (error instanceof StoreUnavailable || !(error instanceof Error)) return error
  const isAnswer =
    'type' in error &&
    ['maximum-append-size-exceeded', 'stream-deleted', 'invalid-argument'].includes(String(error.type))
  if (isAnswer || error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError)
    return error
  return new StoreUnavailable(
    isRefused(error)
      ? 'EventStoreDB refuses the credentials of EVENTSTORE_URL'
      : "EventStoreDB can't be reached just now",
    { cause: error },
  )
}

const isRefused = (error: unknown): boolean =>
  error instanceof Error && 'type' in error && error.type === 'access-denied'

/** The client waits for ever for the lost answer to a batched append. */
async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  const stop = new AbortController()
  const late = setTimeout(ms + 500, undefined, { signal: stop.signal }).then(() => {
    throw new StoreUnavailable('EventStoreDB took too long to answer')
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    stop.abort()
  }
}

/** The log: append with an exact expected revision, read a stream, follow everything. */
import type { Position, ChainedEvent, StoredEvent } from '../core/event.ts'

/** What the caller believes is the stream's last revision; always exact, so that a lost answer can be retried. */
export type ExpectedRevision = 'no-stream' | number

export interface EventFilter {
  /** Stored names to deliver. Absent: all of them. */
  readonly names?: readonly string[]
}

/** Events in log order; never empty. Batches keep the cost of an async step off each single event. */
export type Batch = readonly StoredEvent[]

export interface EventStore {
  /**
   * Appends all events or none, durably, and answers the position of the last one.
   * The same event ids at the same expected revision are a success with the original position.
   * @throws WrongExpectedRevision when the stream's last revision is another one
   * @throws StoreUnavailable when the store can't be reached or is closed; OutcomeUnknown when an answer was waited for in vain
   */
  append(stream: string, expected: ExpectedRevision, events: readonly ChainedEvent[]): Promise<Position>
  /** The stream's events from a revision on (default 0), in batches; nothing for an unknown stream. */
  read(stream: string, from?: number): AsyncIterable<Batch>
  /** Everything after a position that matches, up to the log's end at the time of reading. */
  readAll(after: Position | null, filter?: EventFilter): AsyncIterable<Batch>
  /** Like `readAll`, then live, until the signal aborts. Never skips, repeats or reorders. */
  subscribe(after: Position | null, filter: EventFilter | undefined, signal: AbortSignal): AsyncIterable<Batch>
  /** The position of the log's last event that matches; null when there is none. */
  head(filter?: EventFilter): Promise<Position | null>
  /** How many events `readAll` would give. For operators: it may take as long as reading them. */
  count(after: Position | null, filter?: EventFilter): Promise<number>
  close(): Promise<void>
}

export class WrongExpectedRevision extends Error {
  override readonly name = 'WrongExpectedRevision'
  constructor(
    readonly stream: string,
    readonly expected: ExpectedRevision,
    /** The stream's last revision; -1 when the stream doesn't exist. */
    readonly actual: number,
  ) {
    super(`Stream ${stream} was expected at revision ${expected} but is at ${actual < 0 ? 'no-stream' : actual}`)
  }
}

/** The store is closed, locked by another process, or out of reach. The message is fit for an operator. */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable'
}

/** The disk is full, or as good as that. Nothing was stored; what is stored can be read. */
export class NoRoom extends StoreUnavailable {}

/** What is on the disk isn't what was written there. */
export class Damaged extends StoreUnavailable {}

/** It stopped answering after something was sent: whether that was stored can't be told. The very same may be asked again. */
export class OutcomeUnknown extends StoreUnavailable {}

/** An event that isn't stored as events are: somebody changed it. Reading everything tells it at its place, and can go on behind it. */
export class UnreadableEvent extends Error {
  override readonly name = 'UnreadableEvent'
  constructor(
    readonly place: Pick<StoredEvent, 'position' | 'stream' | 'revision' | 'name'>,
    /** The hash that it has there, where at least that can be read. */
    readonly hash: string | null,
  ) {
    super(`${place.name}, event ${place.revision} of ${place.stream}, can't be read: it was changed`)
  }
}

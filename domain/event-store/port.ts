/** The log: append with an exact expected revision, read a stream, subscribe to everything. */
import type { Position, ChainedEvent, StoredEvent } from '../core/event.ts'

/**
 * The stream's last revision according to the caller; always exact, so that an append with a lost answer can be
 * retried.
 */
export type ExpectedRevision = 'no-stream' | number

export interface EventFilter {
  /** Stored names to deliver. Absent: all of them. */
  readonly names?: readonly string[]
}

/** Events in log order; never empty. A batch spreads the cost of an async step over many events. */
export type Batch = readonly StoredEvent[]

/**
 * Called with a position up to which every matching event was delivered, when it lies beyond the last delivered event:
 * a reader that stores it need not search that part of the log again. Called between two batches, and awaited.
 */
export type OnPassed = (position: Position) => Promise<void> | void

export interface EventStore {
  /**
   * Appends all events or none, durably, and returns the position of the last one.
   * A retry with the same event ids at the same expected revision succeeds with the original position.
   * @throws WrongExpectedRevision when the stream's last revision is another one
   * @throws AppendTooLarge beyond `maxAppendBytes` in all
   * @throws StoreUnavailable when the store can't be reached or is closed; OutcomeUnknown after a timeout
   */
  append(stream: string, expected: ExpectedRevision, events: readonly ChainedEvent[]): Promise<Position>
  /** The stream's events from a revision on (default 0), in batches; none for an unknown stream. */
  read(stream: string, from?: number): AsyncIterable<Batch>
  /** All matching events after a position, up to the log's end at the time of reading. */
  readAll(after: Position | null, filter?: EventFilter, onPassed?: OnPassed): AsyncIterable<Batch>
  /** Like `readAll`, then live, until the signal aborts. Never skips, repeats or reorders. */
  subscribe(
    after: Position | null,
    filter: EventFilter | undefined,
    signal: AbortSignal,
    onPassed?: OnPassed,
  ): AsyncIterable<Batch>
  /** The position of the log's last event that matches; null when there is none. */
  head(filter?: EventFilter): Promise<Position | null>
  /** The position of the log's last record, the store's own included: `onPassed` never reports one beyond it. */
  end(): Promise<Position | null>
  /** How many events `readAll` would return. For operators: it may take as long as reading them. */
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

/** Nothing was stored. */
export class AppendTooLarge extends Error {
  override readonly name = 'AppendTooLarge'
  constructor(
    readonly stream: string,
    readonly bytes: number,
    readonly maxBytes: number,
  ) {
    super(`${bytes} bytes are too many for one append to ${stream}: at most ${maxBytes} are stored together`)
  }
}

/** The store is closed, locked by another process, or unreachable. The message is meant for an operator. */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable'
}

/** The disk is full, or nearly. Nothing was stored; stored events can be read. */
export class NoRoom extends StoreUnavailable {}

/** The file is corrupt. */
export class Damaged extends StoreUnavailable {}

/** A view, or an index that a list needs, is still read from the log, as after an update. */
export class BeingBuilt extends StoreUnavailable {}

/** The store refuses what it was asked with: the same request succeeds only after a change of the settings. */
export class SettingRefused extends StoreUnavailable {}

/** No answer to a request that was sent: it may have been stored. The same request may be retried. */
export class OutcomeUnknown extends StoreUnavailable {}

/**
 * A stored event that can't be parsed: it was tampered with. A full read throws it at its place, and can continue after
 * it.
 */
export class UnreadableEvent extends Error {
  override readonly name = 'UnreadableEvent'
  constructor(
    readonly place: Pick<StoredEvent, 'position' | 'stream' | 'revision' | 'name'>,
    /** The event's stored hash, if that is readable. */
    readonly hash: string | null,
  ) {
    super(`${place.name}, event ${place.revision} of ${place.stream}, can't be read: it was changed`)
  }
}

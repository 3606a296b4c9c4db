/** Copies the log from one store to another: every event unchanged, in the log's order. */
import type { EventMetadata, Position, StoredEvent } from '../../../domain/core/event.ts'
import { appendBytes, maxAppendBytes } from '../../../domain/event-store/append-size.ts'
import { flawIn } from '../../../domain/event-store/chain.ts'
import {
  WrongExpectedRevision,
  type Batch,
  type EventStore,
  type ExpectedRevision,
} from '../../../domain/event-store/port.ts'
import { MoveRefused } from './refused.ts'

export interface StreamEnd {
  readonly revision: number
  /** Absent if another program wrote the event. */
  readonly hash: string | undefined
}
/** The end of each stream. */
export type Ends = ReadonlyMap<string, StreamEnd>

export interface Append {
  readonly stream: string
  readonly expected: ExpectedRevision
  readonly events: readonly StoredEvent[]
}

export interface Work {
  readonly signal: AbortSignal
  readonly done: (events: number) => void
  /** Throws the reason for an append at the wrong revision. Default: another program writes to the other log. */
  readonly onConflict?: (error: WrongExpectedRevision) => never
}

export const maxEvents = 500
export const maxBytes = maxAppendBytes
const streamsAtOnce = 8

export async function endsOf(log: EventStore): Promise<Ends> {
  const ends = new Map<string, StreamEnd>()
  for await (const batch of log.readAll(null)) for (const event of batch) ends.set(event.stream, endAt(event))
  return ends
}

export const eventsIn = (ends: Ends): number => [...ends.values()].reduce((sum, { revision }) => sum + revision + 1, 0)

/** @throws MoveRefused when the other log contains anything but the beginnings of our streams */
export async function mustBeginOurs(ours: EventStore, there: Ends): Promise<void> {
  for (const [stream, { revision, hash }] of there) {
    // A hash covers all earlier events of its stream.
    if (hash === undefined || (await eventAt(ours, stream, revision))?.metadata.hash !== hash) {
      throw new MoveRefused(
        `The event store at EVENTSTORE_URL has events of another installation (in ${stream}). Nothing was changed. Choose an empty event store, or the one of an interrupted move or restore of this installation.`,
      )
    }
  }
}

/**
 * Appends the missing events and returns the ends of our streams. @throws MoveRefused when another program writes there
 */
export async function copyLog(
  ours: Pick<EventStore, 'readAll'>,
  theirs: Pick<EventStore, 'append'>,
  there: Ends,
  { signal, done, onConflict = writtenMeanwhile }: Work,
): Promise<Ends> {
  const ends = new Map<string, StreamEnd>()
  async function* missing(): AsyncIterable<Batch> {
    for await (const batch of ours.readAll(null)) {
      for (const event of batch) ends.set(event.stream, endAt(event))
      yield batch.filter(({ stream, revision }) => revision > (there.get(stream)?.revision ?? -1))
    }
  }
  for await (const { stream, expected, events } of appendsOf(missing())) {
    signal.throwIfAborted()
    // One at a time: concurrent appends could change the order.
    await theirs.append(stream, expected, events).catch((error: unknown) => {
      throw error instanceof WrongExpectedRevision ? onConflict(error) : error
    })
    done(events.length)
  }
  return ends
}

/** As few appends as the order between streams allows. */
export async function* appendsOf(batches: AsyncIterable<Batch>): AsyncIterable<Append> {
  let events: StoredEvent[] = []
  let bytes = 0
  for await (const batch of batches) {
    for (const event of batch) {
      const size = sizeOf(event)
      if (
        events.length > 0 &&
        (events[0]?.stream !== event.stream || events.length === maxEvents || bytes + size > maxBytes)
      ) {
        yield appendOf(events)
        events = []
        bytes = 0
      }
      events.push(event)
      bytes += size
    }
  }
  if (events.length > 0) yield appendOf(events)
}

/** Reads every stream back. @throws MoveRefused naming the first one that differs */
export async function mustBeTheSame(theirs: EventStore, ends: Ends, { signal, done }: Work): Promise<void> {
  const left = ends.entries()
  const reader = async () => {
    for (const [stream, { revision, hash }] of left) {
      signal.throwIfAborted()
      const events: StoredEvent[] = []
      for await (const batch of theirs.read(stream)) events.push(...batch)
      const problem = problemOf(stream, events, revision + 1, hash)
      if (problem !== null)
        throw new MoveRefused(
          `${stream} ${problem}. Don't start anything on the event store at EVENTSTORE_URL; this installation is unchanged.`,
        )
      done(events.length)
    }
  }
  // All readers must end before the stores are closed, even if one finds a difference.
  const outcomes = await Promise.allSettled(Array.from({ length: streamsAtOnce }, reader))
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}

/** Maps a position here to the position there of the same event, or the last one before it. Null without one. */
export async function sameEventThere(
  ours: EventStore,
  theirs: EventStore,
  position: Position,
): Promise<Position | null> {
  const last = await lastUpTo(ours, position)
  return last && ((await eventAt(theirs, last.stream, last.revision))?.position ?? null)
}

async function lastUpTo(log: EventStore, position: Position): Promise<StoredEvent | null> {
  let last: StoredEvent | null = null
  for await (const batch of log.readAll(null)) {
    last = batch.findLast((event) => event.position <= position) ?? last
    if (batch.at(-1) !== last) return last
  }
  return last
}

export async function eventAt(
  log: Pick<EventStore, 'read'>,
  stream: string,
  revision: number,
): Promise<StoredEvent | null> {
  for await (const [event] of log.read(stream, revision)) return event ?? null
  return null
}

function problemOf(
  stream: string,
  events: readonly StoredEvent[],
  count: number,
  hash: string | undefined,
): string | null {
  if (events.length !== count) return `has ${events.length} events there and ${count} here`
  const flaw = flawIn(stream, events)
  if (flaw) return `is not intact: the event at revision ${flaw.revision} doesn't match its hash`
  return events.at(-1)?.metadata.hash === hash ? null : 'has different events there'
}

const endAt = ({ revision, metadata }: StoredEvent): StreamEnd => ({
  revision,
  hash: (metadata as Partial<EventMetadata> | undefined)?.hash,
})

const sizeOf = ({ name, data, metadata }: StoredEvent): number =>
  appendBytes([{ name, data: JSON.stringify(data), metadata: JSON.stringify(metadata) }])

function appendOf(events: readonly StoredEvent[]): Append {
  const [first] = events
  if (!first) throw new RangeError('Nothing to append')
  return { stream: first.stream, expected: first.revision === 0 ? 'no-stream' : first.revision - 1, events }
}

function writtenMeanwhile(error: WrongExpectedRevision): never {
  throw new MoveRefused(
    `Something else is writing to the event store at EVENTSTORE_URL (${error.stream} is at revision ${error.actual} there). Stop it, and start again with an empty event store.`,
  )
}

/**
 * One server's namespace in a shared log, such as the tests' log at `TEST_EVENTSTORE_URL`: a server sees only its own
 * events.
 */
import type { Position, StoredEvent } from '../../domain/core/event.ts'
import {
  AppendTooLarge,
  WrongExpectedRevision,
  type Batch,
  type EventFilter,
  type EventStore,
  type OnPassed,
} from '../../domain/event-store/port.ts'

/**
 * @param part its name, which no other server's name begins with
 * @param begins a position before all its events: what lies before is never read
 */
export function namespacedEventStore(events: EventStore, part: string, begins: Position | null = null): EventStore {
  const prefix = `${part}-`
  const mine = (batch: Batch): StoredEvent[] =>
    batch.flatMap((event) =>
      event.stream.startsWith(prefix) ? [{ ...event, stream: event.stream.slice(prefix.length) }] : [],
    )
  async function* filtered(batches: AsyncIterable<Batch>): AsyncIterable<Batch> {
    for await (const batch of batches) {
      const own = mine(batch)
      if (own.length > 0) yield own
    }
  }
  const from = (after: Position | null) => (after === null || (begins !== null && after < begins) ? begins : after)
  const readAll = (after: Position | null, filter?: EventFilter, onPassed?: OnPassed) =>
    filtered(events.readAll(from(after), filter, onPassed))
  /** The last own event, up to the position that was read. */
  let newest: Position | null = null
  let read: Position | null = null
  return {
    async append(stream, expected, chained) {
      try {
        return await events.append(prefix + stream, expected, chained)
      } catch (error) {
        if (error instanceof WrongExpectedRevision)
          throw new WrongExpectedRevision(stream, error.expected, error.actual)
        if (error instanceof AppendTooLarge) throw new AppendTooLarge(stream, error.bytes, error.maxBytes)
        throw error
      }
    },
    read: (stream, from) => filtered(events.read(prefix + stream, from)),
    readAll,
    subscribe: (after, filter, signal, onPassed) => filtered(events.subscribe(from(after), filter, signal, onPassed)),
    async head(filter) {
      // The shared log holds the events of all earlier tests: each part of it is read once.
      if (!filter?.names) {
        const end = await events.end()
        for await (const batch of readAll(read)) newest = batch.at(-1)?.position ?? newest
        read = newest !== null && (end === null || newest > end) ? newest : end
        return newest
      }
      let last: Position | null = null
      for await (const batch of readAll(null, filter)) last = batch.at(-1)?.position ?? last
      return last
    },
    end: () => events.end(),
    async count(after, filter) {
      let count = 0
      for await (const batch of readAll(after, filter)) count += batch.length
      return count
    },
    close: () => events.close(),
  }
}

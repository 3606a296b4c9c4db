/** Events for tests of event stores, and ways to read them back. */
import { randomUUID } from 'node:crypto'
import type { JsonObject, Position, ChainedEvent, StoredEvent } from '../../core/event.ts'
import type { Batch, EventStore } from '../port.ts'

/** JSON values that stores tend to corrupt. */
export const ODD_DATA: readonly JsonObject[] = [
  { text: 'a\0b', lone: '\ud800 and \udfff', emoji: '👩‍👩‍👧 🎉', rtl: 'שלום \u202e עולם', quotes: `"'\\ \n\r\t\u2028` },
  { yes: true, no: false, nothing: null, list: [true, null, [false]], nested: { deep: { flag: true } } },
  { zero: 0, negative: -1.5, tiny: 5e-324, large: 1.7976931348623157e308, exact: 9007199254740991, tenth: 0.1 },
  { '': 'empty key', ключ: 'значение', 'a.b': 1, $set: 2 },
  {},
  { content: 'x'.repeat(1_000_000) },
]

/** A hash-chained event with made-up metadata; every call creates a new id. */
export function event(name: string = newName(), data: JsonObject = { note: 'something' }): ChainedEvent {
  return {
    name,
    data,
    metadata: {
      eventId: randomUUID(),
      at: '2026-01-31T09:00:00.000Z',
      actor: { type: 'user', id: randomUUID() },
      correlationId: randomUUID(),
      causationId: randomUUID(),
      schemaVersion: 1,
      agencyId: randomUUID(),
      prevHash: null,
      hash: 'f'.repeat(64),
    },
  }
}

export const textsOf = ({ name, data, metadata }: ChainedEvent) => ({
  name,
  data: JSON.stringify(data),
  metadata: JSON.stringify(metadata),
})

export function newStream(): string {
  return `sample-${randomUUID()}`
}

export function newName(): string {
  return `SampleTaken${randomUUID().replaceAll('-', '')}`
}

/** All batches of an iteration that ends by itself. */
export async function gather(batches: AsyncIterable<Batch>): Promise<Batch[]> {
  const gathered: Batch[] = []
  for await (const batch of batches) gathered.push(batch)
  return gathered
}

/** All events of an iteration that ends by itself. */
export async function all(batches: AsyncIterable<Batch>): Promise<StoredEvent[]> {
  return (await gather(batches)).flat()
}

/** Subscribes until this many events have arrived. */
export async function follow(
  store: EventStore,
  after: Position | null,
  names: readonly string[],
  count: number,
): Promise<StoredEvent[]> {
  const stop = new AbortController()
  const events: StoredEvent[] = []
  for await (const batch of store.subscribe(after, { names }, stop.signal)) {
    events.push(...batch)
    if (events.length >= count) stop.abort()
  }
  return events
}

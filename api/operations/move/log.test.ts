import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { removeFolder, temporaryFolder } from '../../../domain/test/folder.ts'
import type { JsonObject, StoredEvent } from '../../../domain/core/event.ts'
import { flawIn, chainHashes, type ChainHead } from '../../../domain/event-store/chain.ts'
import { openEmbeddedEventStore } from '../../../domain/event-store/embedded.ts'
import { openEventStoreDB } from '../../../domain/event-store/eventstoredb.ts'
import type { Batch, EventStore } from '../../../domain/event-store/port.ts'
import { all, event } from '../../../domain/event-store/test/samples.ts'
import { generation } from '../../../domain/generation/test/examples.ts'
import { startEventStore, type TestEventStore } from '../../../domain/event-store/test/fake-eventstoredb/server.ts'
import { appendsOf, copyLog, endsOf, maxBytes, maxEvents, mustBeginOurs, mustBeTheSame, sameEventThere } from './log.ts'

let folder: string
let server: TestEventStore
let ours: EventStore
let theirs: EventStore
beforeEach(async () => {
  folder = await temporaryFolder('move')
  server = await startEventStore()
  ours = await openEmbeddedEventStore(join(folder, 'events.db'))
  theirs = openEventStoreDB(server.url)
})
afterEach(async () => {
  await theirs.close()
  await ours.close()
  await server.close()
  await removeFolder(folder)
})

const heads = new WeakMap<EventStore, Map<string, ChainHead>>()
/** Appends one event to the stream's hash chain. */
async function write(log: EventStore, stream: string, data: JsonObject = { note: 'something' }): Promise<void> {
  const known = heads.get(log) ?? new Map<string, ChainHead>()
  heads.set(log, known)
  const head = known.get(stream) ?? { revision: -1, hash: null }
  const {
    name,
    metadata: { hash: _, ...metadata },
  } = event('SampleTaken', data)
  const chained = chainHashes(stream, head, [{ name, data, metadata }])
  await log.append(stream, head.revision < 0 ? 'no-stream' : head.revision, chained)
  known.set(stream, { revision: head.revision + 1, hash: chained[0]?.metadata.hash ?? null })
}

const nothing = { signal: new AbortController().signal, done: () => {} }
async function moved(signal = nothing.signal): Promise<number> {
  const there = await endsOf(theirs)
  await mustBeginOurs(ours, there)
  let copied = 0
  const ends = await copyLog(ours, theirs, there, { signal, done: (events) => (copied += events) })
  await mustBeTheSame(theirs, ends, nothing)
  return copied
}
const withoutPlace = ({ position: _, ...rest }: StoredEvent) => rest
const contents = async (log: EventStore) => (await all(log.readAll(null))).map(withoutPlace)

describe('A moved log', () => {
  it(
    'is identical: ids, names, data, metadata, revisions, and the order between streams',
    { tags: 'long' },
    async () => {
      for (let n = 0; n < 30; n++)
        await write(ours, `sample-${n % 3 === 0 ? 'a' : n % 7 === 0 ? 'b' : 'c'}`, { n, ключ: '👩‍👩‍👧', nothing: null })
      expect(await moved()).toBe(30)
      expect(await contents(theirs)).toEqual(await contents(ours))
      expect(flawIn('sample-a', await all(theirs.read('sample-a')))).toBeNull()
    },
  )

  it('has generated texts as before: in streams of their own, and in those of clients', async () => {
    for (const stream of ['client-a', 'generation-1', 'client-a', 'generation-2']) await write(ours, stream, generation)
    expect(await moved()).toBe(4)
    expect(await contents(theirs)).toEqual(await contents(ours))
  })

  it('is not copied again', async () => {
    for (let n = 0; n < 5; n++) await write(ours, 'sample-a')
    await moved()
    expect(await moved()).toBe(0)
    expect(server.log.entries).toHaveLength(5)
  })

  it('continues where an interruption stopped it, whether the last answer arrived or not', async () => {
    for (let n = 0; n < 40; n++) await write(ours, `sample-${n % 4}`)
    for (const until of [7, 19]) {
      const abort = new AbortController()
      const stopping = (async () => {
        while (server.log.entries.length < until) await server.log.appended()
        server.faults.next = ['drop-after']
        abort.abort()
      })()
      await expect(moved(abort.signal)).rejects.toThrow(/abort/)
      await stopping
      server.faults.next = []
      expect(server.log.entries.length).toBeGreaterThanOrEqual(until)
      expect(server.log.entries.length).toBeLessThan(40)
    }
    await moved()
    expect(await contents(theirs)).toEqual(await contents(ours))
  })

  it('includes events added since', async () => {
    await write(ours, 'sample-a')
    await moved()
    await write(ours, 'sample-b')
    await write(ours, 'sample-a')
    expect(await moved()).toBe(2)
    expect(await contents(theirs)).toEqual(await contents(ours))
  })

  it('maps each position of the old log', async () => {
    for (const stream of ['sample-a', 'sample-b', 'sample-a']) await write(ours, stream)
    await moved()
    const [here, there] = [await all(ours.readAll(null)), await all(theirs.readAll(null))]
    for (const [index, { position }] of here.entries())
      expect(await sameEventThere(ours, theirs, position)).toBe(there[index]?.position)
    expect(await sameEventThere(ours, theirs, '')).toBeNull()
  })
})

describe('A target is refused, and stays unchanged,', () => {
  it.each([
    ['with a stream that we do not have', async () => write(theirs, 'sample-z')],
    ['with other events in a stream of ours', async () => write(theirs, 'sample-a')],
    [
      'with events of another kind',
      async () =>
        void (await theirs.append('orders', 'no-stream', [
          { ...event(), metadata: { eventId: event().metadata.eventId } as StoredEvent['metadata'] },
        ])),
    ],
    [
      'with more in a stream of ours',
      async () => {
        await moved()
        const [last] = await all(ours.read('sample-a'))
        heads.set(theirs, new Map([['sample-a', { revision: 0, hash: last?.metadata.hash ?? null }]]))
        await write(theirs, 'sample-a')
      },
    ],
  ])('%s', async (_, fill) => {
    await write(ours, 'sample-a')
    await fill()
    await write(ours, 'sample-b')
    const before = server.log.entries.length
    await expect(moved()).rejects.toThrow(/^The event store at EVENTSTORE_URL has events of another installation/)
    expect(server.log.entries).toHaveLength(before)
  })

  it("but not because of the server's own streams", async () => {
    await write(ours, 'sample-a')
    server.log.append('$settings', 'any', [
      {
        id: event().metadata.eventId,
        type: '$settings',
        contentType: 'application/json',
        data: Buffer.from('{}'),
        metadata: Buffer.from(''),
      },
    ])
    expect(await moved()).toBe(1)
  })
})

describe('Reading back', () => {
  it('detects a changed event, a missing one, and an extra one', async () => {
    for (let n = 0; n < 3; n++) await write(ours, 'sample-a', { n })
    await moved()
    const ends = await endsOf(ours)
    const end = ends.get('sample-a')
    await expect(
      mustBeTheSame(theirs, new Map([['sample-a', { revision: 3, hash: end?.hash }]]), nothing),
    ).rejects.toThrow('sample-a has 3 events there and 4 here')
    await expect(
      mustBeTheSame(theirs, new Map([['sample-a', { revision: 2, hash: 'other' }]]), nothing),
    ).rejects.toThrow('has different events there')
    const entry = server.log.entries[1]
    if (entry) Object.assign(entry, { data: Buffer.from('{"n":9}') })
    await expect(mustBeTheSame(theirs, ends, nothing)).rejects.toThrow(
      "is not intact: the event at revision 1 doesn't match its hash",
    )
  })
})

describe('One append', () => {
  const stored = (stream: string, revision: number, bytes = 10): StoredEvent => ({
    ...event('SampleTaken', { text: 'x'.repeat(bytes) }),
    stream,
    revision,
    position: '',
  })
  const appends = async (...batches: Batch[]) => {
    const taken = []
    for await (const { stream, expected, events } of appendsOf(
      (async function* () {
        yield* batches
      })(),
    ))
      taken.push([stream, expected, events.length])
    return taken
  }

  it('contains consecutive events of one stream, also across two pages', async () => {
    expect(
      await appends([stored('a', 0), stored('a', 1)], [], [stored('a', 2), stored('b', 4), stored('a', 3)]),
    ).toEqual([
      ['a', 'no-stream', 3],
      ['b', 3, 1],
      ['a', 2, 1],
    ])
  })

  it('is limited in events and size, except for a single large event', async () => {
    const many = Array.from({ length: maxEvents + 1 }, (_, n) => stored('a', n))
    expect(await appends(many)).toEqual([
      ['a', 'no-stream', maxEvents],
      ['a', maxEvents - 1, 1],
    ])
    const large = [
      stored('a', 0, maxBytes / 2),
      stored('a', 1, maxBytes / 2),
      stored('a', 2, maxBytes * 2),
      stored('a', 3),
    ]
    expect(await appends(large)).toEqual([
      ['a', 'no-stream', 1],
      ['a', 0, 1],
      ['a', 1, 1],
      ['a', 2, 1],
    ])
  })
})

/** The test server rejects what the real one rejects, checked with the official client. */
import { ANY, EventStoreDBClient, jsonEvent, NO_STREAM } from '@eventstore/db-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newStream } from '../samples.ts'
import { seed } from './seeded.ts'
import { startEventStore, type TestEventStore } from './server.ts'

let server: TestEventStore
let client: EventStoreDBClient
beforeAll(async () => {
  server = await startEventStore()
  client = EventStoreDBClient.connectionString(server.url)
})
afterAll(async () => {
  await client.dispose()
  await server.close()
})

const taken = () => jsonEvent({ type: 'Taken', data: {} })
const read = async (stream: string) => {
  let count = 0
  for await (const _ of client.readStream(stream)) count += 1
  return count
}

/** The client batches appends, except one with its own credentials. */
describe.each([
  ['in a batch', {}],
  ['alone', { credentials: { username: 'socialai', password: 'unused' } }],
])('An append %s', (_, way) => {
  it("at a revision other than the stream's is rejected with the actual one", async () => {
    const stream = newStream()
    await client.appendToStream(stream, taken(), { ...way, expectedRevision: NO_STREAM })
    await expect(client.appendToStream(stream, taken(), { ...way, expectedRevision: NO_STREAM })).rejects.toMatchObject(
      { type: 'wrong-expected-version', actualVersion: 0n },
    )
  })

  it('that arrives after its deadline is rejected, and not stored', async () => {
    const stream = newStream()
    await expect(
      client.appendToStream(stream, [taken(), taken()], { ...way, expectedRevision: ANY, deadline: -1_000 }),
    ).rejects.toMatchObject({ type: 'deadline-exceeded' })
    await expect(read(stream)).rejects.toMatchObject({ type: 'stream-not-found' })
  })

  it('to a tombstoned stream is rejected, and so is reading it', async () => {
    const stream = newStream()
    await client.appendToStream(stream, taken(), { ...way, expectedRevision: NO_STREAM })
    server.log.tombstone(stream)
    await expect(client.appendToStream(stream, taken(), { ...way, expectedRevision: ANY })).rejects.toMatchObject({
      type: 'stream-deleted',
    })
    await expect(read(stream)).rejects.toMatchObject({ type: 'stream-deleted' })
  })
})

it(
  'A log that others use has events without metadata, of other formats, and gaps where a scavenge was',
  { tags: 'long' },
  async () => {
    const shared = await startEventStore()
    seed(shared.log, 500)
    const reader = EventStoreDBClient.connectionString(shared.url)
    const types = new Set<string>()
    let last = -1n
    for await (const { event } of reader.readAll()) {
      if (!event) continue
      types.add(event.type)
      expect(event.position?.commit).toBeGreaterThan(last)
      last = event.position?.commit ?? last
    }
    expect([...types]).toEqual(
      expect.arrayContaining(['OrderPlaced', 'Stored', '$statsCollected', '$metadata', 'PostWritten']),
    )
    const [truncated, scavenged] = ['order-', 'gone-'].map(
      (begin) => shared.log.all.findLast(({ stream }) => stream.startsWith(begin))?.stream ?? '',
    )
    const revisions = async (stream = '') => {
      const found: bigint[] = []
      for await (const { event } of reader.readStream(stream)) found.push(event?.revision ?? -1n)
      return found
    }
    expect((await revisions(truncated)).slice(0, 2)).toEqual([3n, 4n])
    expect(await revisions(scavenged)).toEqual([9n])
    expect(shared.log.all.filter(({ stream }) => stream === scavenged)).toHaveLength(1)
    await reader.dispose()
    await shared.close()
  },
)

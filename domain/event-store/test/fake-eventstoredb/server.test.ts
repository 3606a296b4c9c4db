/** The test server rejects what the real one rejects, checked with the official client. */
import { ANY, EventStoreDBClient, jsonEvent, NO_STREAM } from '@eventstore/db-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newStream } from '../samples.ts'
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

/** Projections whose events are rare, on an EventStoreDB with many other events. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { patience } from '../../domain/test/patience.ts'
import { removeFolder, temporaryFolder } from '../../domain/test/folder.ts'
import { openEventStoreDB } from '../../domain/event-store/eventstoredb.ts'
import type { EventStore } from '../../domain/event-store/port.ts'
import { startEventStore, type TestEventStore } from '../../domain/event-store/test/fake-eventstoredb/server.ts'
import { submitted, written } from '../../domain/post/test/examples.ts'
import { openEmbeddedReadStore } from '../read-store/embedded.ts'
import type { ReadStore } from '../read-store/port.ts'
import { Projector } from './projector.ts'
import { Log, tallyProjection, type Tally } from './test/helpers.ts'
import { viewReader } from './views.ts'
import { aheadOfLog } from './views-ahead-of-log.ts'

const tally = tallyProjection()
/** A catch-up reads the log's last record, for its position. */
const asksForEnd = 1
let folder: string
let server: TestEventStore
let events: EventStore
let store: ReadStore
let running: Projector[]
beforeEach(async () => {
  folder = await temporaryFolder('searched')
  server = await startEventStore()
  events = openEventStoreDB(server.url)
  store = await openEmbeddedReadStore(join(folder, 'views.db'))
  running = []
})
afterEach(async () => {
  await stopAll()
  await store.close()
  await events.close()
  await server.close()
  await removeFolder(folder)
})

/** Appends events that no projection handles, without a connection. */
const fill = (count: number, type = 'Other') => {
  const event = { type, contentType: 'application/json', data: Buffer.from('{}'), metadata: new Uint8Array() }
  for (let left = count; left > 0; left -= 1_000)
    server.log.append(
      `${type}-${randomUUID()}`,
      'no-stream',
      Array.from({ length: Math.min(left, 1_000) }, () => ({ ...event, id: randomUUID() })),
    )
}
const start = async () => {
  const projector = new Projector([tally], { events, store, onError: () => undefined })
  running.push(projector)
  await projector.start()
  return projector
}
const stopAll = () => Promise.all(running.splice(0).map((projector) => projector.stop()))
const read = (projector: Projector) =>
  viewReader<Tally>(store, projector.live, { name: 'tally', version: 1 }).get('all')

describe('A projection without an event among many others', () => {
  it('receives none of them, and keeps the checkpoint that the server gave', async () => {
    fill(7_000)
    await start()
    expect(server.sent.events).toBe(asksForEnd)
    expect(await store.checkpoint('tally_v1')).toBe(await events.end())
    expect(await aheadOfLog([tally], { events, store })).toEqual([])
  })

  it('searches only the newest part of the log when it starts again', { tags: 'long' }, async () => {
    fill(7_000)
    const log = new Log(events)
    await log.write('post-a', written, submitted)
    await start()
    await stopAll()
    const first = (await store.checkpoint('tally_v1')) ?? ''
    fill(7_000)
    await start()
    await stopAll()
    expect(((await store.checkpoint('tally_v1')) ?? '') > first).toBe(true)
    const before = server.sent.events
    const again = await start()
    expect(server.sent.events).toBe(before + asksForEnd)
    expect(await again.waitFor([await log.write('post-b', written, submitted)], patience.timeout)).toBe(true)
    expect(await read(again)).toMatchObject({ written: 2, submitted: 2 })
  })

  it('moves its checkpoint while it follows live', async () => {
    await start()
    const before = await store.checkpoint('tally_v1')
    fill(4_000)
    await expect.poll(() => store.checkpoint('tally_v1')).not.toBe(before)
  })

  it("is not ahead of a log that ends with the server's own events", async () => {
    fill(4_000, '$statsCollected')
    await start()
    expect(await store.checkpoint('tally_v1')).not.toBeNull()
    expect(await aheadOfLog([tally], { events, store })).toEqual([])
  })

  it('counts each event once, however many others lie between', async () => {
    const log = new Log(events)
    for (let post = 0; post < 20; post++) {
      await log.write(`post-${post}`, written, submitted)
      fill(700)
    }
    const projector = await start()
    expect(await read(projector)).toMatchObject({ written: 20, submitted: 20 })
    // Each event once for the projection, and once for its lag.
    expect(server.sent.events).toBeLessThanOrEqual(2 * 40)
  })
})

/** The planner's checkpoint, on an EventStoreDB with many events that concern no planner. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openEventStoreDB } from '../../../domain/event-store/eventstoredb.ts'
import type { EventStore } from '../../../domain/event-store/port.ts'
import { startEventStore, type TestEventStore } from '../../../domain/event-store/test/fake-eventstoredb/server.ts'
import { removeFolder, temporaryFolder } from '../../../domain/test/folder.ts'
import { patience } from '../../../domain/test/patience.ts'
import { openEmbeddedRecords } from '../../records/embedded.ts'
import type { Records } from '../../records/port.ts'
import type { Checkpoint } from '../checkpoint.ts'
import { StillClock } from '../test/helpers.ts'
import { Agenda } from './agenda.ts'
import { listen } from './planner-wakeups.ts'

let folder: string
let server: TestEventStore
let events: EventStore
let records: Records
beforeEach(async () => {
  folder = await temporaryFolder('wakeups')
  server = await startEventStore()
  events = openEventStoreDB(server.url)
  records = await openEmbeddedRecords(join(folder, 'records.db'))
})
afterEach(async () => {
  await records.close()
  await events.close()
  await server.close()
  await removeFolder(folder)
})

/** Appends events that concern no planner, without a connection. */
const fill = (thousands: number) => {
  const other = { type: 'Other', contentType: 'application/json', data: Buffer.from('{}'), metadata: new Uint8Array() }
  for (let thousand = 0; thousand < thousands; thousand++)
    server.log.append(
      `Other-${randomUUID()}`,
      'no-stream',
      Array.from({ length: 1_000 }, () => ({ ...other, id: randomUUID() })),
    )
}

it(
  'The planner searches a part of the log without its events once, not after each start',
  { tags: 'long' },
  async () => {
    fill(5)
    const most = (await events.end()) ?? ''
    fill(2)
    const listener = { changed: () => undefined, wanted: () => undefined }
    const agenda = await Agenda.open(records, new StillClock('2026-03-02T10:00:00.000Z'), 60_000)
    const loop = await listen({ events, records, log: pino({ level: 'silent' }) }, agenda, listener)
    const checkpoints = await records.table<Checkpoint>({ table: 'checkpoints' })
    const hasMoved = async () => ((await checkpoints.get('planner'))?.record.position ?? '') > most
    await expect.poll(hasMoved, patience).toBe(true)
    await loop.stop()
  },
)

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import pino from 'pino'
import type { StoredEvent } from '../../../domain/core/event.ts'
import { openEmbeddedRecords } from '../../records/embedded.ts'
import type { Records } from '../../records/port.ts'
import { temporaryStores, type TestStores } from '../../../projections/core/test/helpers.ts'
import * as post from '../../../domain/post/test/examples.ts'
import { Checkpoints, checkpointSchema } from '../../features/audit/checkpoints.ts'
import { Signer } from '../../features/audit/signing.ts'
import { verifyLog } from '../../operations/audit/verify-log.ts'
import { MovableClock } from '../../core/clock.ts'
import { createLogCheckpointer, type LogCheckpointer } from './log-checkpointer.ts'

let stores: TestStores
let records: Records
let checkpoints: Checkpoints
let signer: Signer
let clock: MovableClock
const lines: string[] = []
const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) })
const running: LogCheckpointer[] = []

beforeEach(async () => {
  lines.length = 0
  stores = await temporaryStores()
  records = await openEmbeddedRecords(join(stores.folder, 'records.db'))
  signer = await Signer.open({ current: randomBytes(32), others: [] })
  checkpoints = await Checkpoints.open(records, signer)
  clock = new MovableClock()
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.stop()))
  await records.close()
  await stores.remove()
})

function startCheckpointer(events = stores.events as Pick<TestStores['events'], 'readAll'>): LogCheckpointer {
  const made = createLogCheckpointer({ events, checkpoints, clock, log, config: { pollMs: 20 } })
  running.push(made)
  made.start()
  return made
}
const count = async () => (await checkpoints.all()).length

it('The log checkpointer signs a checkpoint once an hour if events were appended', async () => {
  await stores.log.write('post-1', post.written)
  startCheckpointer()
  await expect.poll(count).toBe(1)
  await stores.log.write('post-1', post.submitted)
  clock.advance(3_600_001)
  await expect.poll(count).toBe(2)
  const [latest, first] = await checkpoints.all()
  expect(await signer.verify('checkpoint', latest?.signed ?? '')).toEqual({
    position: latest?.position,
    at: latest?.at,
    streams: 1,
    events: 2,
    root: latest?.root,
    order: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  expect(latest?.root).not.toBe(first?.root)
  expect(
    (
      await verifyLog(stores.events, [
        { checkpoint: checkpointSchema.parse(await signer.verify('checkpoint', first?.signed ?? '')), heads: null },
      ])
    ).problems,
  ).toEqual([])
})

it('The log checkpointer signs nothing without new events, and two of them sign only once', async () => {
  await stores.log.write('post-1', post.written)
  const [one, two] = [startCheckpointer(), startCheckpointer()]
  await expect.poll(count).toBeGreaterThan(0)
  clock.advance(3_600_001)
  one.wake()
  two.wake()
  await Promise.all([one.stop(), two.stop()])
  expect(await count()).toBe(1)
})

it('The log checkpointer never signs a tampered log, and logs an error for the operator', async () => {
  await stores.log.write('post-1', post.written)
  await stores.log.write('post-1', post.submitted)
  const tampered = {
    async *readAll(after: Parameters<TestStores['events']['readAll']>[0]) {
      for await (const batch of stores.events.readAll(after)) {
        yield batch.map((event): StoredEvent =>
          event.revision === 0 ? { ...event, data: { ...event.data, content: 'Other words' } } : event,
        )
      }
    },
  }
  startCheckpointer(tampered)
  await expect.poll(() => lines.length).toBe(1)
  expect(JSON.parse(lines[0] ?? '{}')).toMatchObject({ stream: 'post-1', revision: 0, problem: 'changed' })
  expect(await count()).toBe(0)
})

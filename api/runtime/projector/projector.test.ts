/** @module-tag long */
import { join } from 'node:path'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { removeFolder, temporaryFolder } from '../../../domain/test/folder.ts'
import { submitted, written } from '../../../domain/post/test/examples.ts'
import { RemoteProjectionWatcher } from '../../../projections/core/remote-projection-watcher.ts'
import { Runner } from '../../../projections/core/runner.ts'
import { temporaryStores, type TestStores } from '../../../projections/core/test/helpers.ts'
import { projections, viewsOf } from '../../../projections/registry.ts'
import { verifyProjection } from '../../../projections/verify.ts'
import { openEmbeddedRecords } from '../../records/embedded.ts'
import type { Records } from '../../records/port.ts'
import { startSharedProjector, type SharedProjector } from './projector.ts'

const log = pino({ level: 'silent' })
let folder: string
let on: TestStores
let records: Records
let running: SharedProjector[]
let elsewhere: RemoteProjectionWatcher
beforeEach(async () => {
  folder = await temporaryFolder('projecting')
  on = await temporaryStores()
  records = await openEmbeddedRecords(join(folder, 'records.db'))
  running = []
  elsewhere = new RemoteProjectionWatcher(projections, { events: on.events, store: on.store, onError: () => undefined })
})
afterEach(async () => {
  elsewhere.stop()
  await Promise.all(running.map((one) => one.stop()))
  await records.close()
  await on.remove()
  await removeFolder(folder)
})

const start = async () => {
  const one = await startSharedProjector(
    projections,
    { events: on.events, store: on.store, records, log },
    { leaseMs: 200 },
  )
  running.push(one)
  return one
}
const led = () =>
  running.flatMap(({ health }) => health.filter(({ state }) => state === 'live').map(({ name }) => name)).sort()
const all = projections.map(({ name }) => name).sort()
const isTrue = async () => {
  for (const projection of projections)
    expect([projection.name, await verifyProjection(projection, on.events, on.store)]).toEqual([projection.name, []])
}

describe('Projectors with shared work', () => {
  it('each lead about half, and the views match the log', async () => {
    await Promise.all([start(), start()])
    await expect.poll(led, { timeout: 10_000 }).toEqual(all)
    await elsewhere.start()
    const appendedEvents = await Promise.all(
      Array.from({ length: 50 }, (_, n) => on.log.write(`post-p${n}`, written, submitted)),
    )
    expect(await elsewhere.waitFor(appendedEvents, 5_000)).toBe(true)
    expect(await viewsOf(on.store, elsewhere.live).posts.count()).toBe(50)
    expect(running.map(({ health }) => health.length).sort()).toEqual([
      Math.floor(all.length / 2),
      Math.ceil(all.length / 2),
    ])
    await isTrue()
  })

  it('take over from one that stops, and nothing is missing', async () => {
    const [first] = await Promise.all([start(), start()])
    await expect.poll(led, { timeout: 10_000 }).toEqual(all)
    await elsewhere.start()
    await on.log.write('post-a', written)
    await first.stop()
    running = running.filter((one) => one !== first)
    const appendedEvents = await on.log.write('post-b', written, submitted)
    expect(await elsewhere.waitFor([appendedEvents], 10_000)).toBe(true)
    expect(led()).toEqual(all)
    await isTrue()
  })

  it('do no harm when one was paused past its lease and continues beside the other', async () => {
    const [posts] = projections.filter(({ name }) => name === 'posts')
    if (!posts) throw new Error('There is no such projection')
    // Runs without a lease, like a projector that slept through its own.
    const sleeper = new Runner(posts, {
      events: on.events,
      store: on.store,
      onSwitch: () => undefined,
      onError: () => undefined,
    })
    await sleeper.start()
    await start()
    await expect.poll(led, { timeout: 10_000 }).toEqual(all)
    await elsewhere.start()
    const appendedEvents = await Promise.all(
      Array.from({ length: 200 }, (_, n) => on.log.write(`post-p${n}`, written, submitted)),
    )
    expect(await elsewhere.waitFor(appendedEvents, 10_000)).toBe(true)
    await sleeper.stop()
    await isTrue()
  })
})

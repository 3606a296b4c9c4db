/** @module-tag long */
import { join } from 'node:path'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { around } from '../../../domain/test/around.ts'
import { StoreUnavailable } from '../../../domain/event-store/port.ts'
import { removeFolder, temporaryFolder } from '../../../domain/test/folder.ts'
import { patience } from '../../../domain/test/patience.ts'
import { submitted, written } from '../../../domain/post/test/examples.ts'
import { RemoteProjectionWatcher } from '../../../projections/core/remote-projection-watcher.ts'
import { Runner } from '../../../projections/core/runner.ts'
import { temporaryStores, type TestStores } from '../../../projections/core/test/helpers.ts'
import { pause } from '../../../projections/core/pause.ts'
import type { ReadStore } from '../../../projections/read-store/port.ts'
import { rebuildProjection } from '../../../projections/rebuild.ts'
import { projections, viewsOf } from '../../../projections/registry.ts'
import { verifyProjection } from '../../../projections/verify.ts'
import { openEmbeddedRecords } from '../../records/embedded.ts'
import { leases, type HolderRecord } from '../../records/leases.ts'
import type { RecordDefinition, Records } from '../../records/port.ts'
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

const start = async (ports: { readonly store?: ReadStore; readonly records?: Records } = {}, leaseMs = 200) => {
  const one = await startSharedProjector(
    projections,
    { events: on.events, store: on.store, records, log, ...ports },
    { leaseMs, sweepEveryMs: leaseMs },
  )
  running.push(one)
  return one
}
/** The same port; calls of one name are counted, and wait while the gate is closed. */
class Gated<Port extends object> {
  readonly port: Port
  calls = 0
  #opened = Promise.resolve()
  open: () => void = () => undefined
  constructor(port: Port, gated: keyof Port) {
    this.port = around(port, async (name, call) => {
      if (name === gated) {
        this.calls += 1
        await this.#opened
      }
      return call()
    })
  }
  close(): void {
    this.#opened = new Promise((resolve) => (this.open = resolve))
  }
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
    await expect.poll(led).toEqual(all)
    await elsewhere.start()
    const appendedEvents = await Promise.all(
      Array.from({ length: 50 }, (_, n) => on.log.write(`post-p${n}`, written, submitted)),
    )
    expect(await elsewhere.waitFor(appendedEvents, patience.timeout)).toBe(true)
    expect(await viewsOf(on.store, elsewhere.live).posts.count()).toBe(50)
    expect(running.map(({ health }) => health.length).sort()).toEqual([
      Math.floor(all.length / 2),
      Math.ceil(all.length / 2),
    ])
    await isTrue()
  })

  it('take over from one that stops, and nothing is missing', async () => {
    const [first] = await Promise.all([start(), start()])
    await expect.poll(led).toEqual(all)
    await elsewhere.start()
    await on.log.write('post-a', written)
    await first.stop()
    running = running.filter((one) => one !== first)
    const appendedEvents = await on.log.write('post-b', written, submitted)
    expect(await elsewhere.waitFor([appendedEvents], patience.timeout)).toBe(true)
    await expect.poll(led).toEqual(all)
    await isTrue()
  })

  it('keep their leases while a batch takes longer than a lease, and hand over once it has ended', async () => {
    const slow = new Gated(on.store, 'writeTogether')
    // Longer than this process may stand still: both would miss their beats then.
    const leaseMs = 1_000
    await start({ store: slow.port }, leaseMs)
    await expect.poll(led).toEqual(all)
    const table = await records.table<HolderRecord>(leases)
    const [first] = await table.find('kind', 'projectors')
    slow.close()
    const before = slow.calls
    await on.log.write('post-a', written)
    await expect.poll(() => slow.calls).toBeGreaterThan(before)

    const second = await start({}, leaseMs)
    const beats = new Set<string>()
    const beaten = async () => beats.add((await table.get(first?.id ?? ''))?.record.beat ?? '').size
    // There are four in a lease.
    await expect.poll(beaten, { ...patience, interval: 10 }).toBeGreaterThan(8)
    expect(second.health).toEqual([])

    slow.open()
    await expect.poll(() => second.health.length).toBe(Math.floor(all.length / 2))
    await expect.poll(led).toEqual(all)
  })

  it('renew their leases once, not as often as was missed, after the store for them was slow', async () => {
    const table = new Gated(await records.table<HolderRecord>(leases), 'find')
    const slow = {
      ...records,
      table: async (definition: RecordDefinition<HolderRecord>) =>
        definition.table === leases.table ? table.port : records.table(definition),
    } as Records
    const leaseMs = 20
    const only = await start({ records: slow }, leaseMs)
    table.close()
    await pause(20 * leaseMs)
    // One round searches twice; so may the watch for projections without a leader.
    const before = table.calls
    table.open()
    await only.stop()
    expect(table.calls - before).toBeLessThanOrEqual(3)
  })

  it('follow a rebuild that switched a view and could not retire its former collection', async () => {
    const [posts] = projections.filter(({ name }) => name === 'posts')
    if (!posts) throw new Error('There is no such projection')
    await start()
    await expect.poll(led).toEqual(all)
    const store = around(on.store, async (name, call) => {
      if (name === 'retire') throw new StoreUnavailable('The store is away')
      return call()
    })
    await expect(rebuildProjection(posts, on.events, store)).rejects.toThrow('The store is away')
    await on.log.write('post-a', written)
    await elsewhere.start()
    await expect.poll(() => viewsOf(on.store, elsewhere.live).posts.get('a')).toMatchObject({ id: 'a' })
    await expect.poll(led).toEqual(all)
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
    await expect.poll(led).toEqual(all)
    await elsewhere.start()
    const appendedEvents = await Promise.all(
      Array.from({ length: 200 }, (_, n) => on.log.write(`post-p${n}`, written, submitted)),
    )
    expect(await elsewhere.waitFor(appendedEvents, patience.timeout)).toBe(true)
    await sleeper.stop()
    await isTrue()
  })
})

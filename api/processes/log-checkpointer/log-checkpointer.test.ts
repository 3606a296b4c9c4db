import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import pino from 'pino'
import { LogTree } from '../../../domain/audit/log-tree.ts'
import type { StoredEvent } from '../../../domain/core/event.ts'
import { chainHashes } from '../../../domain/event-store/chain.ts'
import { event } from '../../../domain/event-store/test/samples.ts'
import { besideOthersMs } from '../../../domain/test/fastest.ts'
import { longestBlockMs } from '../../../domain/test/longest-block.ts'
import { openEmbeddedRecords } from '../../records/embedded.ts'
import type { Records } from '../../records/port.ts'
import { temporaryStores, type TestStores } from '../../../projections/core/test/helpers.ts'
import * as post from '../../../domain/post/test/examples.ts'
import { Checkpoints, checkpointSchema } from '../../features/audit/checkpoints.ts'
import { Signer } from '../../features/audit/signing.ts'
import { verifyLog } from '../../operations/audit/verify-log.ts'
import { MovableClock } from '../../core/clock.ts'
import { LeasedWork, wholeWork } from '../work-shares.ts'
import { createLogCheckpointer, type LogCheckpointer, type LogCheckpointerPorts } from './log-checkpointer.ts'
import { RecentHeads } from './recent-heads.ts'

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

function startCheckpointer(
  events: LogCheckpointerPorts['events'] = stores.events,
  shares = wholeWork,
): LogCheckpointer {
  const made = createLogCheckpointer({ events, checkpoints, clock, log, shares, config: { pollMs: 20 } })
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
    version: 2,
    events: 2,
    root: expect.stringMatching(/^[0-9a-f]{64}$/),
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

it(
  'The log checkpointer signs again after a clock that ran ahead was corrected, with an earlier date',
  { tags: 'long' },
  async () => {
    const year = 365 * 86_400_000
    await stores.log.write('post-1', post.written)
    clock.advance(year)
    const ahead = startCheckpointer()
    await expect.poll(count).toBe(1)
    await ahead.stop()
    clock.advance(-year)
    await stores.log.write('post-1', post.submitted)
    let rounds = 0
    startCheckpointer(stores.events, {
      ...wholeWork,
      leads: (part) => {
        rounds += 1
        return wholeWork.leads(part)
      },
    })
    await expect.poll(count).toBe(2)
    const [latest, first] = await checkpoints.all()
    expect(latest?.events).toBe(2)
    expect(String(latest?.at) < String(first?.at)).toBe(true)
    // It is written a moment after the list.
    await expect.poll(async () => (await checkpoints.latest())?.signed).toBe(latest?.signed)
    expect((await checkpoints.newestTrusted())?.events).toBe(2)
    const signed = await Promise.all(
      [latest, first].map(async (each) =>
        checkpointSchema.parse(await signer.verify('checkpoint', each?.signed ?? '')),
      ),
    )
    const kept = signed.map((checkpoint) => ({ checkpoint, heads: null }))
    expect(await verifyLog(stores.events, kept)).toMatchObject({ problems: [], isAsSigned: true })
    // Its date is plausible again, so the next one keeps the distance.
    await stores.log.write('post-1', post.rejected)
    clock.advance(1_800_000)
    const before = rounds
    // A round was begun before the event, the next one sees it, and the one after that begins when it is over.
    await expect.poll(() => rounds).toBeGreaterThan(before + 2)
    expect(await count()).toBe(2)
  },
)

it('The log checkpointer never signs a tampered log, and logs an error for the operator', async () => {
  await stores.log.write('post-1', post.written)
  await stores.log.write('post-1', post.submitted)
  const tampered = {
    read: stores.events.read.bind(stores.events),
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

/** The store, and the positions from which the whole log was read. */
function notedReads(): { readonly events: LogCheckpointerPorts['events']; readonly from: (string | null)[] } {
  const from: (string | null)[] = []
  const { events } = stores
  return {
    from,
    events: {
      read: events.read.bind(events),
      readAll(after) {
        from.push(after)
        return events.readAll(after)
      },
    },
  }
}

it('The log checkpointer reads each event once, also after a restart, and checks it against those before', async () => {
  await stores.log.write('post-1', post.written)
  await stores.log.write('post-2', post.written)
  const first = startCheckpointer()
  await expect.poll(count).toBe(1)
  await first.stop()
  const { position } = (await checkpoints.latest()) ?? {}
  await stores.log.write('post-1', post.submitted)
  clock.advance(3_600_001)
  const { events, from } = notedReads()
  startCheckpointer(events)
  await expect.poll(count).toBe(2)
  expect(from).toEqual([position])
  // The root is the one of the whole log.
  const newest = await checkpoints.newestTrusted()
  expect(newest?.events).toBe(3)
  const { problems } = await verifyLog(stores.events, newest ? [{ checkpoint: newest, heads: null }] : [])
  expect(problems).toEqual([])
  expect(lines).toEqual([])
})

it('The log checkpointer notices after a restart that an event does not follow the one before it', async () => {
  await stores.log.write('post-1', post.written)
  const first = startCheckpointer()
  await expect.poll(count).toBe(1)
  await first.stop()
  await stores.log.write('post-1', post.submitted)
  await stores.log.write('post-1', post.rejected)
  const gap: LogCheckpointerPorts['events'] = {
    read: stores.events.read.bind(stores.events),
    async *readAll(after) {
      for await (const batch of stores.events.readAll(after)) yield batch.filter(({ revision }) => revision !== 1)
    },
  }
  clock.advance(3_600_001)
  startCheckpointer({
    ...gap,
    async *read(stream, from) {
      for await (const batch of stores.events.read(stream, from)) yield batch.filter(({ revision }) => revision !== 1)
    },
  })
  await expect.poll(() => lines.length).toBe(1)
  expect(JSON.parse(lines[0] ?? '{}')).toMatchObject({ stream: 'post-1', revision: 2, problem: 'missing' })
  expect(await count()).toBe(1)
})

it('The log checkpointer continues at the same event after a move to a store with other positions', async () => {
  await stores.log.write('post-1', post.written)
  const first = startCheckpointer()
  await expect.poll(count).toBe(1)
  await first.stop()
  await stores.log.write('post-1', post.submitted)
  const from: (string | null)[] = []
  const moved = (event: StoredEvent): StoredEvent => ({ ...event, position: `moved-${event.position}` })
  clock.advance(3_600_001)
  startCheckpointer({
    async *read(stream, revision) {
      for await (const batch of stores.events.read(stream, revision)) yield batch.map(moved)
    },
    async *readAll(after) {
      from.push(after)
      for await (const batch of stores.events.readAll(after?.slice('moved-'.length) ?? null)) yield batch.map(moved)
    },
  })
  await expect.poll(count).toBe(2)
  expect(from).toEqual([expect.stringMatching(/^moved-/)])
})

it('The log checkpointer reads a log from its beginning that is not the signed one', async () => {
  await stores.log.write('post-1', post.written)
  const tree = new LogTree()
  tree.pass({ position: '9'.repeat(20), stream: 'post-9', revision: 0, hash: '9'.repeat(64) })
  await checkpoints.sign(tree, clock.now())
  clock.advance(3_600_001)
  const { events, from } = notedReads()
  startCheckpointer(events)
  await expect.poll(() => from).toEqual([null])
})

it('Of several log checkpointers, one reads the log; another goes on when it leaves', async () => {
  await stores.log.write('post-1', post.written)
  // Nothing renews their leases here.
  const open = () => LeasedWork.open(records, { elapsed: () => 0 })
  const [one, two] = [await open(), await open()]
  // Both take part from the beginning: the first one leads the first parts.
  for (const each of [one, two, one, two]) await each.round()
  const reads = [notedReads(), notedReads()]
  const [leader] = [startCheckpointer(reads[0]?.events, one), startCheckpointer(reads[1]?.events, two)]
  await expect.poll(count).toBe(1)
  expect(reads.map(({ from }) => from.length)).toEqual([1, 0])
  await leader?.stop()
  await one.stop(log)
  await two.round()
  await stores.log.write('post-1', post.submitted)
  clock.advance(3_600_001)
  await expect.poll(count).toBe(2)
  expect(reads.map(({ from }) => from.length)).toEqual([1, 1])
})

it('A log checkpointer that loses its lease in the middle of a round signs nothing, and goes on when it leads', async () => {
  await stores.log.write('post-1', post.written)
  let leads = true
  let hasLost = false
  const losing: LogCheckpointerPorts['events'] = {
    read: stores.events.read.bind(stores.events),
    async *readAll(after) {
      for await (const batch of stores.events.readAll(after)) {
        yield batch
        if (!hasLost) leads = false
        hasLost = true
      }
    },
  }
  let asked = 0
  startCheckpointer(losing, {
    ...wholeWork,
    leads: () => {
      if (hasLost) asked += 1
      return leads
    },
  })
  await expect.poll(() => asked).toBeGreaterThan(3)
  expect(await count()).toBe(0)
  leads = true
  await expect.poll(count).toBe(1)
})

it(
  'The log checkpointer reads a long log of many streams without a block of 50 ms, in bounded memory',
  { tags: 'long' },
  async () => {
    const batch = chainedEvents(11_000)
    const events: LogCheckpointerPorts['events'] = {
      async *read(stream, from = 0) {
        yield batch.filter((event) => event.stream === stream && event.revision >= from)
      },
      // As one batch: the store's own reading is no part of this.
      async *readAll() {
        yield batch
      },
    }
    const maxMs = besideOthersMs(50)
    let tries = 0
    const signedOnce = async () => {
      const own = await openEmbeddedRecords(join(stores.folder, `records-${(tries += 1)}.db`))
      const theirs = await Checkpoints.open(own, signer)
      const made = createLogCheckpointer({ events, checkpoints: theirs, clock, log })
      made.start()
      await expect.poll(async () => (await theirs.all()).length).toBe(1)
      await made.stop()
      await own.close()
    }
    expect(await longestBlockMs(signedOnce, maxMs)).toBeLessThan(maxMs)
    const heads = new RecentHeads(events)
    for (const event of batch) heads.keep(event)
    expect(heads.size).toBe(10_000)
  },
)

/** The first events of as many streams. */
function chainedEvents(many: number): StoredEvent[] {
  const {
    name,
    data,
    metadata: { hash: _, prevHash: __, ...metadata },
  } = event('PostWritten')
  return Array.from({ length: many }, (_each, at) => {
    const stream = `post-${at}`
    const [chained] = chainHashes(stream, { revision: -1, hash: null }, [{ name, data, metadata }])
    if (!chained) throw new Error('Nothing was chained')
    return { ...chained, stream, revision: 0, position: String(at + 1).padStart(20, '0') }
  })
}

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { patience } from '../../domain/test/patience.ts'
import { around } from '../../domain/test/around.ts'
import { v7 as uuidv7 } from 'uuid'
import type { Records } from '../records/port.ts'
import { createCollector, type Collector } from './collector/collector.ts'
import { createPublisher } from './publisher/publisher.ts'
import { openWorld, type Account, type World } from './test/helpers.ts'
import { createTokenRefresher, type TokenRefresher } from './token-refresher/token-refresher.ts'
import { LeasedWork, partOfAccount, workParts } from './work-shares.ts'

const lifeMs = 1_000
const hour = 3_600_000
let world: World
let elapsed: number
let running: (Collector | TokenRefresher)[]

beforeEach(async () => {
  world = await openWorld()
  elapsed = 0
  running = []
})
afterEach(async () => {
  await Promise.all(running.map((each) => each.stop()))
  await world.remove()
})

const join = () => LeasedWork.open(world.records, { lifeMs, elapsed: () => elapsed })
const rounds = async (count: number, ...workers: readonly LeasedWork[]) => {
  for (let round = 0; round < count; round++) {
    for (const worker of workers) await worker.round()
    elapsed += lifeMs / 4
  }
}
/** Three workers that have divided the work. */
async function three() {
  const workers = [await join(), await join(), await join()] as const
  await rounds(4, ...workers)
  return workers
}
/** Records that call a function before each command. */
const recordsAfter = (onCommand: () => void): Records => ({
  ...world.records,
  table: async (definition) =>
    around(await world.records.table(definition), (_, command) => {
      onCommand()
      return command()
    }),
})
const ledBy = (worker: LeasedWork) => workParts.filter((part) => worker.leads(part))
const within = (assertion: () => Promise<void> | void) => vi.waitFor(assertion, { ...patience, interval: 20 })

describe('Several workers', () => {
  it('divide all parts evenly, each led by one, and leave them to the others when they stop', async () => {
    const workers = await three()
    expect(workers.map(ledBy).map((parts) => parts.length)).toEqual([12, 12, 11])
    expect(workers.flatMap(ledBy).toSorted()).toEqual([...workParts].sort())
    await workers[0].stop(world.log)
    await rounds(2, workers[1], workers[2])
    expect([...ledBy(workers[1]), ...ledBy(workers[2])].sort()).toEqual([...workParts].sort())
    expect(ledBy(workers[0])).toEqual([])
  })

  it('do not lead parts whose lease has expired, however long the process was paused', async () => {
    const only = await join()
    await rounds(1, only)
    expect(ledBy(only)).toEqual(workParts)
    elapsed += lifeMs
    expect(ledBy(only)).toEqual([])
    await rounds(1, only)
    expect(ledBy(only)).toEqual(workParts)
  })

  it('lead their parts all the time though each command takes a fifth of a lifetime', async () => {
    const led = new Set<number>()
    let slow: LeasedWork | null = null
    const onCommand = () => {
      elapsed += lifeMs / 5
      if (slow) led.add(ledBy(slow).length)
    }
    slow = await LeasedWork.open(recordsAfter(onCommand), { lifeMs, elapsed: () => elapsed })
    await rounds(2, slow)
    led.clear()
    await rounds(5, slow)
    expect([...led]).toEqual([workParts.length])
  })

  it('do not lead what another may have taken while they were paused, until they know', async () => {
    const led = new Set<number>()
    let paused: LeasedWork | null = null
    const onCommand = () => paused && led.add(ledBy(paused).length)
    paused = await LeasedWork.open(recordsAfter(onCommand), { lifeMs, elapsed: () => elapsed })
    await rounds(2, paused)
    const other = await join()
    await rounds(1, other)
    elapsed += 600 * lifeMs
    await rounds(3, other)
    expect(ledBy(other)).toEqual(workParts)
    led.clear()
    await rounds(1, paused)
    expect([...led]).toEqual([0])
  })

  it('hand a part over once its jobs have ended, and do no new ones meanwhile', async () => {
    const first = await join()
    await rounds(1, first)
    let end = () => {}
    const jobs = workParts.map((part) =>
      first.during(part, () => new Promise<void>((resolve) => (end = chain(end, resolve)))),
    )
    const second = await join()
    await rounds(4, second, first)
    expect(ledBy(second)).toEqual([])
    expect(ledBy(first)).toHaveLength(Math.ceil(workParts.length / 2))
    end()
    await Promise.all(jobs)
    await rounds(2, first, second)
    expect([...ledBy(first), ...ledBy(second)].sort()).toEqual([...workParts].sort())
  })

  it('have parts of about the same number of accounts', () => {
    const counts = new Map<string, number>()
    for (let at = 0; at < 3_200; at++) {
      const part = partOfAccount(uuidv7())
      counts.set(part, (counts.get(part) ?? 0) + 1)
    }
    expect(counts.size).toBe(32)
    expect(Math.max(...counts.values())).toBeLessThan(170)
  })
})

/** The profiles of the client's accounts that a worker leads, `times` times each. */
async function profilesLedBy(worker: LeasedWork, clientId: string, times: number): Promise<(string | null)[]> {
  const { accounts } = (await world.commands.loadClient(clientId)).state
  const led = Object.entries(accounts).filter(([id]) => worker.leads(partOfAccount(id)))
  return led.flatMap(([, { remoteId }]) => Array<string | null>(times).fill(remoteId)).sort()
}

describe('Three collectors', { tags: 'long' }, () => {
  let clientId: string
  let posts: readonly string[]
  /** Published posts, each of an account of its own. */
  beforeEach(async () => {
    clientId = await world.addClient()
    const accounts: Account[] = []
    for (let at = 0; at < 5; at++) accounts.push(await world.addAccount(clientId))
    posts = await Promise.all(accounts.map((account, at) => world.schedule(account, `Hello ${at}`)))
    world.clock.advance(60_000)
    const publisher = createPublisher({ ...world, config: { pollMs: 10, settleMs: 10 } })
    publisher.start()
    await within(async () => {
      for (const postId of posts)
        expect(await world.views.figuresDue.get(postId)).toMatchObject({ publishedAt: world.clock.now() })
    })
    await publisher.stop()
  })

  /** Returns the profiles whose posts it asks about, one for each question. */
  function start(shares: LeasedWork): readonly string[] {
    const asked: string[] = []
    const { facebook } = world.networks
    const metrics: typeof facebook.metrics = (asking) => {
      asked.push(asking.remoteId)
      return facebook.metrics(asking)
    }
    const networks = { ...world.networks, facebook: { ...facebook, metrics } }
    const collector = createCollector({ ...world, networks, shares, config: { pollMs: 5 } })
    running.push(collector)
    collector.start()
    return asked
  }
  const haveReadings = (readings: number) =>
    within(async () => {
      for (const postId of posts) expect(await world.views.figuresDue.get(postId)).toMatchObject({ readings })
    })

  it('ask a network once for each reading, each for the accounts that it leads', async () => {
    const workers = await three()
    const asked = workers.map(start)
    world.clock.advance(hour)
    await haveReadings(1)
    world.clock.advance(5 * hour)
    await haveReadings(2)
    for (const [index, worker] of workers.entries())
      expect(asked[index]?.toSorted()).toEqual(await profilesLedBy(worker, clientId, 2))
    expect(asked.flat()).toHaveLength(10)
  })

  it('leave the accounts of one that stops to the others', async () => {
    const workers = await three()
    const asked = workers.map(start)
    world.clock.advance(hour)
    await haveReadings(1)
    await running.shift()?.stop()
    await workers[0].stop(world.log)
    await rounds(2, workers[1], workers[2])
    world.clock.advance(5 * hour)
    await haveReadings(2)
    expect(asked.flat()).toHaveLength(10)
  })
})

describe('Three token refreshers', () => {
  it('check each account once, each those that it leads', { tags: 'long' }, async () => {
    const clientId = await world.addClient()
    for (let at = 0; at < 9; at++) await world.addAccount(clientId)
    await within(async () => expect(await world.views.socialAccounts.count({ isConnected: true })).toBe(9))
    const { facebook } = world.networks
    const workers = await three()
    const checked = workers.map((shares) => {
      const profiles: string[] = []
      const check: typeof facebook.check = (connection) => {
        profiles.push(connection.remoteId)
        return facebook.check(connection)
      }
      const networks = { ...world.networks, facebook: { ...facebook, check } }
      const config = { pollMs: 5, firstChecksWithinMs: 0 }
      const refresher = createTokenRefresher({ ...world, networks, shares, config })
      running.push(refresher)
      refresher.start()
      return profiles
    })
    await within(() => expect(new Set(checked.flat()).size).toBe(9))
    for (const [index, worker] of workers.entries())
      expect(checked[index]?.toSorted()).toEqual(await profilesLedBy(worker, clientId, 1))
  })
})

const chain = (before: () => void, after: () => void) => () => {
  before()
  after()
}

/** Six processes are killed, paused and cut off from their stores while users work. */
import { expect, test } from '@playwright/test'
import { ApiClient } from '../../api/http/client.ts'
import { roles } from '../../api/composition/distributed.ts'
import { publisherDefaults } from '../../api/processes/publisher/config.ts'
import { seedOr } from '../../domain/test/sample.ts'
import { connectMongo } from '../../projections/read-store/mongodb-connection.ts'
import { hasMongo } from '../../projections/read-store/test/mongodb.ts'
import { openMongoReadStore } from '../../projections/read-store/mongodb.ts'
import { delay, live, look, prepare, randoms, settled, type Account, type Remembered } from '../kill/people.ts'
import { flaws, twice, unaccounted } from '../kill/truth.ts'
import { members, startCluster, type Cluster, type Member } from './cluster.ts'
import { ledBy, unshared } from './led.ts'
import { victims } from './victims.ts'

const rounds = Number(process.env['KILL_ROUNDS'] ?? 6)
const seed = seedOr(20_261_122)
/** Separate from the users' random choices, so that the same seed kills the same processes at the same times. */
const random = randoms(seed)
const cutForMs = Number(process.env['KILL_CUT_MS'] ?? 10_000)
/**
 * A killed worker's claim is given up once the others have seen it for `attemptMs` and a network timeout (decision
 * 0004); then they continue with its account's posts.
 */
const settlesWithinMs = publisherDefaults.attemptMs + publisherDefaults.sendTimeoutMs + 120_000
/** A lease lasts five seconds; the next poll after that finds it expired. */
const takenOverWithinMs = 60_000

test.describe('Six processes', () => {
  test.describe.configure({ mode: 'serial' })
  test.skip(!hasMongo, 'TEST_MONGODB_URL names no server')

  let cluster: Cluster
  let caller: ApiClient
  let account: Account
  const remembered = new Map<string, Remembered>()
  test.beforeAll(async () => {
    test.setTimeout(180_000)
    cluster = await startCluster({ PUBLISH_POLL_MS: '300', LOG_LEVEL: 'silent' })
    caller = new ApiClient(cluster.url)
    account = await prepare(caller)
  })
  test.afterAll(() => cluster?.close())

  /** Users work while `happens` runs. */
  async function working(name: string, happens: () => Promise<void>): Promise<void> {
    const work = new AbortController()
    const people = [0, 1, 2].map((one) =>
      live({
        caller,
        account,
        remembered,
        name: `${name} w${one}`,
        random: randoms(seed + one + 1),
        signal: work.signal,
      }),
    )
    try {
      await happens()
    } finally {
      work.abort()
      await Promise.all(people)
    }
  }

  /** Waits until another command is acknowledged. */
  async function goingOn(within: number): Promise<void> {
    const before = remembered.size
    await expect.poll(() => remembered.size, { timeout: within }).toBeGreaterThan(before)
  }

  test(`keep working through ${rounds} kills, each process once before any is killed again`, async () => {
    test.setTimeout(60_000 + rounds * 30_000)
    const killed: Member[] = []
    const next = victims(random)
    for (let round = 0; round < rounds; round++) {
      const member = next.next().value
      killed.push(member)
      await working(`kill ${round}`, async () => {
        await delay(300 + random() * 1_000)
        await cluster.kill(member)
        await delay(random() * 1_500)
        await cluster.start(member)
        await goingOn(30_000)
      })
    }
    console.log({ killed: killed.slice(0, 12).join(' ') })
    expect(new Set(killed.map((member) => member.slice(0, -1))).size).toBe(Math.min(rounds, roles.length))
    expect(new Set(killed.slice(0, members.length)).size).toBe(Math.min(rounds, members.length))
  })

  test(`reconnect on their own to stores that are unreachable for ${cutForMs / 1_000} s, one after the other`, async () => {
    test.setTimeout(180_000)
    for (const store of ['events', 'documents'] as const) {
      await working(`without ${store}`, async () => {
        await goingOn(30_000)
        cluster.wires[store].cut()
        await delay(cutForMs)
        cluster.wires[store].mend()
        await goingOn(60_000)
      })
    }
  })

  test('share the projections again after a projector was paused and another one took over its projections', async () => {
    test.setTimeout(240_000)
    const flawsOfSharing = () => unshared(cluster, 'projector1', 'projector2')
    await expect.poll(flawsOfSharing, { timeout: takenOverWithinMs }).toEqual([])
    const its = await ledBy(cluster, 'projector1')
    await working('pause', async () => {
      cluster.pause('projector1')
      try {
        await expect
          .poll(() => ledBy(cluster, 'projector2'), { timeout: takenOverWithinMs, intervals: [250] })
          .toEqual(expect.arrayContaining(its))
        // The paused projector must resume with views that another one has moved ahead.
        await goingOn(30_000)
      } finally {
        cluster.resume('projector1')
      }
      await goingOn(30_000)
      await expect.poll(flawsOfSharing, { timeout: takenOverWithinMs, intervals: [250] }).toEqual([])
    })
  })

  test('have then lost no acknowledged write, published nothing twice, and kept read models that match the log', async () => {
    test.setTimeout(settlesWithinMs + 150_000)
    const problems: string[] = []
    await settled(caller, account, problems, settlesWithinMs)
    await look(caller, remembered, problems)
    const posts = await caller.tellAll('listPosts', { params: { id: account.clientId } })
    const feed = await cluster.feed()
    problems.push(...twice(feed), ...unaccounted(feed, posts, remembered))

    const events = cluster.openLog()
    const mongo = connectMongo(cluster.mongoUrl)
    problems.push(...(await flaws(events, openMongoReadStore(mongo))))
    await events.close()
    await mongo.close()
    const acknowledged = [...remembered.values()].reduce((sum, post) => sum + post.events.size, 0)
    console.log({
      rounds,
      acknowledged,
      published: posts.filter(({ status }) => status === 'published').length,
      unknown: posts.filter(({ delivery }) => delivery === 'unknown').length,
    })
    if (problems.length > 0) console.log(cluster.output().slice(-20_000))
    expect(problems).toEqual([])
    expect(posts.some(({ status }) => status === 'published')).toBe(true)
  })
})

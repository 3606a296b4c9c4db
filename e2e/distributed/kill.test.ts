/** Six processes while each of them is killed, paused and cut off from its stores, and people go on working. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Caller } from '../../api/caller.ts'
import { publisherDefaults } from '../../api/processes/publisher/config.ts'
import { openEventStoreDB } from '../../domain/event-store/eventstoredb.ts'
import { connectMongo } from '../../projections/read-store/mongodb-connection.ts'
import { hasMongo } from '../../projections/read-store/mongodb-testing.ts'
import { openMongoReadStore } from '../../projections/read-store/mongodb.ts'
import { delay, live, look, prepare, randoms, settled, type Account, type Remembered } from '../kill/people.ts'
import { flaws, twice, unaccounted } from '../kill/truth.ts'
import { members, startCluster, type Cluster } from './cluster.ts'

const rounds = Number(process.env['KILL_ROUNDS'] ?? 6)
const random = randoms(Number(process.env['SEED'] ?? 20_261_122))
const cutForMs = Number(process.env['CUT_MS'] ?? 4_000)
/** A claim of a worker that died is anybody's once its time is over, and what waits behind it on its account goes on then. */
const settlesWithinMs = publisherDefaults.attemptMs + 120_000
/** Longer than a projector's lease. */
const pausedForMs = 7_000

describe.skipIf(!hasMongo)('Six processes', () => {
  let cluster: Cluster
  let caller: Caller
  let account: Account
  const remembered = new Map<string, Remembered>()
  beforeAll(async () => {
    cluster = await startCluster({ PUBLISH_POLL_MS: '100', LOG_LEVEL: 'silent' })
    caller = new Caller(cluster.url)
    account = await prepare(caller)
  }, 180_000)
  afterAll(() => cluster?.close())

  /** People work while something happens. */
  async function working(name: string, happens: () => Promise<void>): Promise<void> {
    const work = new AbortController()
    const people = [0, 1, 2].map((one) => live({ caller, account, remembered, name: `${name} w${one}`, random, signal: work.signal }))
    await happens()
    work.abort()
    await Promise.all(people)
  }

  it(`${rounds} kills, each of another one in turn, leave the work going on`, { timeout: 60_000 + rounds * 30_000 }, async () => {
    for (let round = 0; round < rounds; round++) {
      const member = members[Math.floor(random() * members.length)] ?? 'api1'
      const before = remembered.size
      await working(`kill ${round}`, async () => {
        await delay(300 + random() * 1_000)
        await cluster.kill(member)
        await delay(random() * 1_500)
        await cluster.start(member)
        // Acknowledged again, whoever was killed.
        await expect.poll(() => remembered.size, { timeout: 30_000 }).toBeGreaterThan(before)
      })
    }
  })

  it('a projector that is paused past its lease goes on beside the one that took over', { timeout: 120_000 }, async () => {
    await working('pause', async () => {
      cluster.pause('projector1')
      await delay(pausedForMs)
      cluster.resume('projector1')
      await delay(1_000)
    })
  })

  it('stores that are away for a while are found again by themselves', { timeout: 180_000 }, async () => {
    for (const store of ['events', 'documents'] as const) {
      const before = remembered.size
      await working(`without ${store}`, async () => {
        cluster.wires[store].cut()
        await delay(cutForMs)
        cluster.wires[store].mend()
        await expect.poll(() => remembered.size, { timeout: 60_000 }).toBeGreaterThan(before)
      })
    }
  })

  it('then: nothing that was acknowledged is lost, nothing is published twice, and the read models are true', { timeout: settlesWithinMs + 150_000 }, async () => {
    const problems: string[] = []
    await settled(caller, account, problems, settlesWithinMs)
    await look(caller, remembered, problems)
    const posts = await caller.tell('listPosts', { params: { id: account.clientId } })
    const feed = await cluster.feed()
    problems.push(...twice(feed), ...unaccounted(feed, posts, remembered))

    const events = openEventStoreDB(cluster.eventStoreUrl)
    const mongo = connectMongo(cluster.mongoUrl)
    problems.push(...(await flaws(events, openMongoReadStore(mongo))))
    await events.close()
    await mongo.close()
    const acknowledged = [...remembered.values()].reduce((sum, post) => sum + post.events.size, 0)
    console.log({ rounds, acknowledged, published: posts.filter(({ status }) => status === 'published').length, unknown: posts.filter(({ delivery }) => delivery === 'unknown').length })
    expect(problems).toEqual([])
    expect(posts.some(({ status }) => status === 'published')).toBe(true)
  })
})

/** What one user's write costs the stores of the distributed shape: one API and one projector. */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { keptLog } from '../testing/all-logs.ts'
import { removeFolder, temporaryFolder } from '../../domain/test/folder.ts'
import { patience } from '../../domain/test/patience.ts'
import { startEventStore, type TestEventStore } from '../../domain/event-store/test/fake-eventstoredb/server.ts'
import { dropDatabase, hasMongo, newDatabase } from '../../projections/read-store/test/mongodb.ts'
import { startMongoProxy, type MongoProxy } from '../../projections/read-store/test/mongodb-proxy.ts'
import { ApiClient } from '../http/client.ts'
import { readConfig } from '../runtime/config.ts'
import { startProcess, type Role, type RunningProcess } from './distributed.ts'

const log = keptLog(process.env['TEST_LOG_LEVEL'] ?? 'silent')
const limits = { failures: 10, perAddress: 100_000, registrations: 100_000 }

/** The commands that have passed about the views: their documents, their checkpoints and which collection is live. */
const aboutViews = ({ collections }: MongoProxy) =>
  [...collections].reduce((sum, [name, count]) => (/^(c_|read_)/.test(name) ? sum + count : sum), 0)

describe.skipIf(!hasMongo)('A write in the distributed shape', () => {
  let folder: string
  let database: string
  let eventStore: TestEventStore
  let apisMongo: MongoProxy
  let projectorsMongo: MongoProxy
  let running: RunningProcess[]
  let caller: ApiClient
  let clientId: string
  let accountId: string

  const start = async (role: Role, mongo: MongoProxy): Promise<RunningProcess> => {
    const config = readConfig({
      PORT: '0',
      PUBLIC_URL: 'http://socialai.test',
      DATA_DIR: folder,
      EVENTSTORE_URL: eventStore.url,
      MONGODB_URL: mongo.urlOf(database),
      SESSION_SECRET: 's'.repeat(32),
      ENCRYPTION_KEY: 'ab'.repeat(32),
      AUDIT_SIGNING_KEY: 'cd'.repeat(32),
    })
    const started = await startProcess(role, config, { log, webRoot: join(folder, 'no-web'), limits })
    running.push(started)
    await vi.waitFor(async () => expect((await fetch(`${started.localUrl}/readyz`)).status).toBe(200), {
      ...patience,
      interval: 50,
    })
    return started
  }

  beforeAll(async () => {
    running = []
    folder = await temporaryFolder('distributed-writes')
    database = newDatabase()
    eventStore = await startEventStore()
    apisMongo = await startMongoProxy(database)
    projectorsMongo = await startMongoProxy(database)
    await start('projector', projectorsMongo)
    caller = new ApiClient((await start('api', apisMongo)).localUrl)
    await caller.callOrThrow('register', { body: { email: 'owner@example.com', password: 'correct horse' } })
    await caller.callOrThrow('openAgency', {
      body: { name: 'North Star', email: 'hello@northstar.example', timeZone: 'Europe/Berlin' },
    })
    clientId = (await caller.callOrThrow('addClient', { body: { name: 'Blue Cup', industry: 'Coffee' } })).id
    const account = { platform: 'facebook', accountName: 'Blue Cup' } as const
    accountId = (await caller.callOrThrow('addSocialAccount', { params: { id: clientId }, body: account })).id
  })

  afterAll(async () => {
    await Promise.all(running.map((each) => each.close()))
    await apisMongo.close()
    await projectorsMongo.close()
    await eventStore.close()
    await dropDatabase(database)
    await removeFolder(folder)
  })

  let written = 0
  const write = async () => {
    const body = { socialAccountId: accountId, content: `Post ${written++}` }
    const { status, headers, text } = await caller.ask('writePost', { params: { id: clientId }, body })
    expect([status, headers.get('X-Consistency')]).toEqual([201, null])
    const { id }: { readonly id: string } = JSON.parse(text)
    expect((await caller.ask('getPost', { params: { id } })).status).toBe(200)
  }
  /** What each of these writes cost on average. @returns looks of the API, and calls of the projector */
  const costOf = async (writes: number, run: () => Promise<unknown>) => {
    const before = { looks: looks(), calls: aboutViews(projectorsMongo) }
    await run()
    return {
      looks: (looks() - before.looks) / writes,
      calls: (aboutViews(projectorsMongo) - before.calls) / writes,
    }
  }
  const looks = () =>
    (apisMongo.collections.get('read_collections') ?? 0) + (apisMongo.collections.get('read_views') ?? 0)

  it('of one user takes at most 3 looks of the API and 8 calls of the projector', async () => {
    const lone = 60
    const cost = await costOf(lone, async () => {
      for (let post = 0; post < lone; post++) await write()
    })
    expect(cost.looks).toBeLessThanOrEqual(3)
    expect(cost.calls).toBeLessThanOrEqual(8)
  })

  it('among those of 32 users takes at most 3 calls of the projector', async () => {
    const people = 32
    const each = 6
    const cost = await costOf(people * each, () =>
      Promise.all(
        Array.from({ length: people }, async () => {
          for (let post = 0; post < each; post++) await write()
        }),
      ),
    )
    expect(cost.looks).toBeLessThanOrEqual(3)
    expect(cost.calls).toBeLessThanOrEqual(3)
  })
})

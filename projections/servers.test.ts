/** The projections' command line on the stores of several running processes. */
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { patience } from '../domain/test/patience.ts'
import * as commandLine from '../api/bin/commands/projections.ts'
import { run as runCommandLine } from '../api/bin/test/run.ts'
import { buildingAlone } from '../api/runtime/projector/building.ts'
import { startSharedProjector, type SharedProjector } from '../api/runtime/projector/projector.ts'
import { openMongoRecords } from '../api/records/mongodb.ts'
import type { Records } from '../api/records/port.ts'
import { openEventStoreDB } from '../domain/event-store/eventstoredb.ts'
import type { EventStore } from '../domain/event-store/port.ts'
import { startEventStore, type TestEventStore } from '../domain/event-store/test/fake-eventstoredb/server.ts'
import { submitted, written } from '../domain/post/test/examples.ts'
import { RemoteProjectionWatcher } from './core/remote-projection-watcher.ts'
import { Log } from './core/test/helpers.ts'
import { viewReader } from './core/views.ts'
import { postsProjection } from './posts/projection.ts'
import { connectMongo } from './read-store/mongodb-connection.ts'
import { dropDatabase, hasMongo, newDatabase } from './read-store/test/mongodb.ts'
import { openMongoReadStore } from './read-store/mongodb.ts'
import type { ReadStore } from './read-store/port.ts'
import { projections } from './registry.ts'

describe.skipIf(!hasMongo)('The command line beside running processes', () => {
  let database: string
  let server: TestEventStore
  let events: EventStore
  let store: ReadStore
  let records: Records
  let projector: SharedProjector
  let log: Log
  beforeEach(async () => {
    database = newDatabase()
    server = await startEventStore()
    events = openEventStoreDB(server.url)
    const mongo = connectMongo(database)
    store = openMongoReadStore(mongo)
    records = await openMongoRecords(mongo.share())
    log = new Log(events)
    projector = await startSharedProjector(projections, { events, store, records, log: pino({ level: 'silent' }) })
    await write(0, 100)
  })
  afterEach(async () => {
    await projector.stop()
    await records.close()
    await store.close()
    await events.close()
    await server.close()
    await dropDatabase(database)
  })

  const write = async (from: number, count: number) => {
    for (let n = from; n < from + count; n++) await log.write(`post-p${n}`, written, submitted)
  }
  const run = async (...args: readonly string[]) => {
    const env = { DATA_DIR: '/nowhere', EVENTSTORE_URL: server.url, MONGODB_URL: database }
    const { code, all } = await runCommandLine(commandLine, args, env)
    return { code, text: all }
  }
  const shown = async () => {
    const live = await store.live('posts')
    return live === null ? 0 : store.count(live)
  }
  const soon = patience
  const neverLooks = { lookEveryMs: 3_600_000 }

  it('rebuilds a view that its projector then continues without a missing event, and prints its status', async () => {
    await expect.poll(shown, soon).toBe(100)
    const rebuilding = run('rebuild', 'posts')
    const ended = new AbortController()
    const over = rebuilding.finally(() => ended.abort())
    let count = 100
    for (; !ended.signal.aborted && count < 250; count++) await write(count, 1)
    // A rebuild that takes seconds prints its progress first.
    expect(await over).toMatchObject({ code: 0, text: expect.stringMatching(/^posts: rebuilt, /m) })
    await expect.poll(shown, soon).toBe(count)
    await write(count, 1)
    await expect.poll(shown, soon).toBe(count + 1)
    // The checkpoint follows its documents.
    await expect
      .poll(() => run('status'), soon)
      .toMatchObject({
        code: 0,
        text: expect.stringMatching(new RegExp(`posts +v5 +posts_v5_g1 +\\S+ +0 +${count + 1}\\n`)),
      })
    expect(await run('verify', 'posts')).toMatchObject({
      code: 0,
      text: expect.stringContaining('posts: matches the log'),
    })
    expect(await run('prune')).toMatchObject({ code: 0, text: expect.stringContaining('No collection to drop') })
  })

  it('leaves every document to an API that has not seen the switch yet, and to one that slept through the drop', async () => {
    await expect.poll(shown, soon).toBe(100)
    const elsewhere = new RemoteProjectionWatcher(projections, { events, store, onError: () => undefined }, neverLooks)
    await elsewhere.start()
    const reader = viewReader<{ readonly id: string }>(store, elsewhere.live, postsProjection)
    const found = async () => [(await reader.get('p7'))?.id, (await reader.find({})).length, await reader.count()]
    const ended = new AbortController()
    const over = run('rebuild', 'posts').finally(() => ended.abort())
    while (!ended.signal.aborted) expect(await found()).toEqual(['p7', 100, 100])
    expect(await over).toMatchObject({ code: 0 })
    expect([await store.live('posts'), elsewhere.live.of('posts')]).toEqual(['posts_v5_g1', 'posts_v5'])
    expect(await found()).toEqual(['p7', 100, 100])
    expect(await store.sweep(0)).toEqual(['posts_v5'])
    expect(await found()).toEqual(['p7', 100, 100])
    expect(elsewhere.live.of('posts')).toBe('posts_v5_g1')
    elsewhere.stop()
  })

  it('refuses to build a view that another command is building, and builds it once that has ended', async () => {
    await expect.poll(shown, soon).toBe(100)
    let end = () => {}
    let other: Promise<unknown> = Promise.resolve()
    await new Promise<void>((begun) => {
      const work = () => {
        begun()
        return new Promise<void>((resolve) => (end = resolve))
      }
      other = buildingAlone(records, ['posts'], work, { onLost: () => expect.unreachable() })
    })
    onTestFinished(() => end())
    const sentence =
      'The projection posts is being rebuilt or verified by another command. Wait until that is done, then try again.\n'
    for (const args of [['rebuild', 'posts'], ['verify', 'posts', 'clients'], ['prune']])
      expect(await run(...args)).toEqual({ code: 3, text: sentence })
    end()
    await other
    expect(await run('rebuild', 'posts')).toMatchObject({ code: 0 })
  })

  it('takes over from a killed command', async () => {
    await expect.poll(shown, soon).toBe(100)
    const builds = await records.table({ table: 'builds' })
    await builds.insert({ id: 'posts', holder: 'killed', beat: 'its last' } as { readonly id: string })
    expect(await run('rebuild', 'posts')).toMatchObject({ code: 0 })
  })
})

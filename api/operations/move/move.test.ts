import { spawn } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { patience } from '../../../domain/test/patience.ts'
import type { StoredEvent } from '../../../domain/core/event.ts'
import { chainHashes } from '../../../domain/event-store/chain.ts'
import { openEmbeddedEventStore } from '../../../domain/event-store/embedded.ts'
import { openEventStoreDB } from '../../../domain/event-store/eventstoredb.ts'
import { all, event } from '../../../domain/event-store/test/samples.ts'
import { startEventStore, type TestEventStore } from '../../../domain/event-store/test/fake-eventstoredb/server.ts'
import { connectMongo } from '../../../projections/read-store/mongodb-connection.ts'
import { dropDatabase, hasMongo, newDatabase } from '../../../projections/read-store/test/mongodb.ts'
import * as moveCommand from '../../bin/commands/move.ts'
import { run as runCommandLine } from '../../bin/test/run.ts'
import { ApiClient } from '../../http/client.ts'
import { later, MovableClock } from '../../core/clock.ts'
import { readConfig } from '../../runtime/config.ts'
import { openServers } from '../../composition/distributed.ts'
import { startEmbedded, type Running } from '../../composition/embedded.ts'
import { jpeg } from '../../features/media/test/helpers.ts'
import { brand, testServer, type TestServer } from '../../testing/server.ts'
import { keptReview } from '../../testing/review-kept.ts'
import { keptTeam } from '../../testing/team-kept.ts'
import { compiled } from '../../../domain/test/compiled.ts'

const person = { email: 'owner@example.com', password: 'correct horse' }
const secrets = { SESSION_SECRET: 's'.repeat(32), ENCRYPTION_KEY: 'ab'.repeat(32), AUDIT_SIGNING_KEY: 'cd'.repeat(32) }

describe.skipIf(!hasMongo || process.env['TEST_SHAPE'] === 'distributed')('A moved embedded installation', () => {
  let server: TestServer
  let eventStore: TestEventStore
  let database: string
  let caller: ApiClient
  let account: Awaited<ReturnType<typeof brand>>

  beforeEach(async () => {
    database = newDatabase()
    eventStore = await startEventStore()
    server = await testServer(secrets)
    caller = new ApiClient(server.url)
    await caller.callOrThrow('register', { body: person })
    await caller.callOrThrow('openAgency', {
      body: { name: 'North Star', email: 'hello@northstar.example', timeZone: 'Europe/Berlin' },
    })
    account = await brand(caller)
  })
  afterEach(async () => {
    await server.remove()
    await eventStore.close()
    await dropDatabase(database)
  })

  const write = (who: ApiClient, content: string, imageUrl: string | null = null) =>
    who.callOrThrow('writePost', {
      params: { id: account.clientId },
      body: { socialAccountId: account.accountId, content, imageUrl },
    })
  const upload = async () =>
    JSON.parse(
      (
        await caller.ask('uploadImage', {
          body: new Blob([new Uint8Array(jpeg(1080, 1080))], { type: 'image/jpeg' }),
        })
      ).text,
    ) as { url: string; hash: string }

  /** Everything that a user sees, in the order of the screens. */
  const seen = async (who: ApiClient) => {
    const posts = await who.callOrThrow('listPosts', { params: { id: account.clientId } })
    const histories = await Promise.all(posts.map(({ id }) => who.callOrThrow('getPostHistory', { params: { id } })))
    return {
      agency: await who.callOrThrow('getAgency'),
      clients: await who.callOrThrow('listClients'),
      accounts: await who.callOrThrow('listSocialAccounts', { params: { id: account.clientId } }),
      posts,
      histories,
    }
  }

  const env = (given: Readonly<Record<string, string>> = {}) => ({
    DATA_DIR: server.dataDir,
    EVENTSTORE_URL: eventStore.url,
    MONGODB_URL: database,
    ...given,
  })
  /** Runs it in a process of its own, to be killed. */
  const start = () => {
    const child = spawn(process.execPath, [compiled('api/bin/command.ts'), 'move'], {
      env: { ...process.env, ...env() },
    })
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
    const ended = new Promise<{ code: number | null; text: string }>((resolve) =>
      child.on('close', (code) => resolve({ code, text })),
    )
    return { child, ended }
  }
  const run = async (given: Readonly<Record<string, string>> = {}) => {
    const { code, all } = await runCommandLine(moveCommand, [], env(given))
    return { code, text: all }
  }

  const startMoved = (clock: MovableClock): Promise<Running> => {
    const config = readConfig({
      ...secrets,
      PORT: '0',
      LOG_LEVEL: 'error',
      PUBLISH_POLL_MS: '200',
      DATA_DIR: server.dataDir,
    })
    const limits = { failures: 10, perAddress: 100_000, registrations: 100_000 }
    const options = {
      log: pino({ level: 'error' }),
      webRoot: join(server.dataDir, 'no-web'),
      limits,
      clock,
    }
    return startEmbedded(config, {
      ...options,
      openStores: () => openServers({ EVENTSTORE_URL: eventStore.url, MONGODB_URL: database }),
    })
  }

  const withoutPlace = ({ position: _, ...rest }: StoredEvent) => rest
  const logHere = async () => {
    const store = await openEmbeddedEventStore(join(server.dataDir, 'events.db'))
    const events = (await all(store.readAll(null))).map(withoutPlace)
    await store.close()
    return events
  }
  const logThere = async () => {
    const store = openEventStoreDB(eventStore.url)
    const events = (await all(store.readAll(null))).map(withoutPlace)
    await store.close()
    return events
  }
  const databaseIsEmpty = async () => {
    const mongo = connectMongo(database)
    const collections = await mongo.run((db) => db.listCollections().toArray())
    await mongo.close()
    return collections.length === 0
  }

  it('shows users the same data and people, accepts the same passwords and factors, and publishes with the same connections', async () => {
    const { url, hash } = await upload()
    const posts = [await write(caller, 'Tea is ready', url), await write(caller, 'Coffee, too')]
    await caller.callOrThrow('changePost', {
      params: { id: posts[1]?.id ?? '' },
      body: { content: 'Coffee, as well' },
    })
    const team = await keptTeam(server, caller, account)
    const review = await keptReview(server, caller, account)
    const [before, people, reviewed] = [await seen(caller), await team.seenBy(caller), await review.seenBy(caller)]
    const { cookie } = caller
    await server.close()
    const moved = await run()
    expect(moved).toMatchObject({
      code: 0,
      text: expect.stringMatching(/Moved: \d+ streams, \d+ events, \d+ records and 1 image in [\d.]+ s\.\n/),
    })
    expect(moved.text).toContain(join(server.dataDir, 'secrets'))
    expect(await logThere()).toEqual(await logHere())

    const clock = new MovableClock()
    const running = await startMoved(clock)
    try {
      const again = new ApiClient(running.url)
      await again.callOrThrow('login', { body: person })
      // Each server has its own port; events contain the old server's URL.
      const wherever = (shown: unknown): unknown =>
        JSON.parse(JSON.stringify(shown).replaceAll(server.url, 'here').replaceAll(running.url, 'here'))
      await expect.poll(async () => wherever(await seen(again)), patience).toEqual(wherever(before))
      const kept = new ApiClient(running.url)
      kept.cookie = cookie
      expect((await kept.ask('getUser')).status).toBe(200)
      await expect.poll(() => team.seenBy(again), patience).toEqual(people)
      // Contacts, links, reviewers and the words of discussions.
      expect(await review.seenBy(again)).toEqual(reviewed)
      await review.worksAt(running.url)
      const writer = new ApiClient(running.url)
      writer.cookie = team.writer.cookie
      expect(await writer.callOrThrow('getAgency')).toMatchObject({ name: 'North Star', me: { role: 'writer' } })
      await team.signsIn({ url: running.url, clock: new MovableClock() })
      expect(Buffer.from(await (await fetch(`${running.url}/media/${hash}`)).arrayBuffer())).toEqual(jpeg(1080, 1080))

      const { id } = await write(again, 'Sent from the new place')
      await again.callOrThrow('changePost', {
        params: { id },
        body: { status: 'scheduled', scheduledFor: later(clock.now(), 60_000) },
      })
      clock.advance(60_000)
      await expect
        .poll(async () => (await again.callOrThrow('getPost', { params: { id } })).status, patience)
        .toBe('published')
      // Email addresses stay unique in the target too.
      expect((await new ApiClient(running.url).ask('register', { body: person })).status).toBe(409)
    } finally {
      await running.close()
    }
  })

  it('is not copied twice, and receives what has happened since', async () => {
    await upload()
    await server.close()
    expect((await run()).text).toMatch(/Copied in this run: [1-9]\d* events, [1-9]\d* records and 1 image\./)
    expect(await run()).toMatchObject({
      code: 0,
      text: expect.stringContaining('Copied in this run: 0 events, 0 records and 0 images.'),
    })
    server = await server.restart()
    const { cookie } = caller
    caller = new ApiClient(server.url)
    caller.cookie = cookie
    await write(caller, 'One more')
    await server.close()
    expect((await run()).text).toMatch(/Copied in this run: [1-9] events?, /)
    expect(await logThere()).toEqual(await logHere())
  })

  it.each([
    ['killed', 'SIGKILL', null],
    ['interrupted', 'SIGTERM', 1],
  ] as const)('%s midway, continues where it stopped and ends with the same result', async (_, signal, exit) => {
    for (let n = 0; n < 25; n++) await write(caller, `Post ${n}`)
    await server.close()
    const events = await logHere()
    const { child, ended } = start()
    while (eventStore.log.entries.length < 10) await eventStore.log.appended()
    // Makes sure that the interruption happens midway.
    eventStore.faults.next = Array.from({ length: 1_000 }, () => 'unavailable' as const)
    child.kill(signal)
    const { code, text } = await ended
    expect(code).toBe(exit)
    if (exit !== null) expect(text).toBe('Interrupted. Run the command again to continue.\n')
    expect(eventStore.log.entries.length).toBeLessThan(events.length)
    eventStore.faults.next = []
    expect(await run()).toMatchObject({ code: 0 })
    expect(await logThere()).toEqual(events)
  })

  it('exits 1 while an image is damaged, and 0 once it is restored', async () => {
    const { hash } = await upload()
    await write(caller, 'All else comes along')
    await server.close()
    const file = join(server.dataDir, 'media', hash)
    const bytes = await readFile(file)
    await writeFile(file, bytes.subarray(1))
    const moved = await run()
    expect(moved).toMatchObject({
      code: 1,
      text: expect.stringContaining(
        `The image ${hash} is damaged in ${join(server.dataDir, 'media')} and was not moved.\nEverything else was moved. Restore it from a backup and run this command again.`,
      ),
    })
    expect(await logThere()).toEqual(await logHere())
    await writeFile(file, bytes)
    expect(await run()).toMatchObject({
      code: 0,
      text: expect.stringContaining('Copied in this run: 0 events, 0 records and 1 image.'),
    })
  })

  it('is refused while its server is running', async () => {
    expect(await run()).toMatchObject({
      code: 1,
      text: expect.stringMatching(/^Another SocialAI is already running on .*Stop it first/),
    })
    expect([eventStore.log.entries.length, await databaseIsEmpty()]).toEqual([0, true])
  })

  it('does not start with a target on which it could not finish', async () => {
    await server.close()
    expect(await run({ MONGODB_URL: 'mongodb://127.0.0.1:9/socialai' })).toEqual({
      code: 1,
      text: "MongoDB can't be reached just now\n",
    })
    expect(await run({ MONGODB_URL: '', EVENTSTORE_URL: '' })).toEqual({
      code: 1,
      text: 'Set EVENTSTORE_URL and MONGODB_URL to the stores to move to.\n',
    })
    expect(eventStore.log.entries).toHaveLength(0)
  })

  const view = (collection: string) => ({ _id: 'old', collection, alive: true, position: '9' })
  it.each([
    [
      'views of another log',
      { read_collections: view(''), read_views: view('posts_v5'), c_posts_v3: view('') },
      'is in use already (it has c_posts_v3)',
    ],
    [
      'documents of views that were half dropped',
      { c_clients_v2: view('') },
      'is in use already (it has c_clients_v2)',
    ],
    [
      "a running installation's people",
      { r_users: { _id: 'u', version: 1, record: JSON.stringify({ id: 'u', email: 'other@example.com' }) } },
      'has records of another installation (in users)',
    ],
    ["somebody else's data", { invoices: { _id: 'i' } }, 'is in use already (it has invoices)'],
  ])('is refused when the target has %s: nothing is written, no data is mixed', async (_, contents, reason) => {
    await server.close()
    const mongo = connectMongo(database)
    await mongo.run(async (db) => {
      for (const [name, document] of Object.entries(contents))
        await db.collection<{ _id: string }>(name).insertOne(document)
    })
    expect(await run()).toMatchObject({
      code: 1,
      text: expect.stringContaining(`The database at MONGODB_URL ${reason}`),
    })
    const names = await mongo.run(async (db) => (await db.listCollections().toArray()).map(({ name }) => name).sort())
    await mongo.close()
    expect([eventStore.log.entries.length, names]).toEqual([0, Object.keys(contents).sort()])
  })

  it('is not moved again after processes have run on the target', async () => {
    await server.close()
    expect(await run()).toMatchObject({ code: 0 })
    await (await startMoved(new MovableClock())).close()
    expect(await run()).toMatchObject({
      code: 1,
      text: expect.stringMatching(/is in use already \(it has c_agency.*that no process has used yet\.\n$/),
    })
  })

  it('is refused when the target log has other events: nothing is written there', async () => {
    await upload()
    await server.close()
    const theirs = openEventStoreDB(eventStore.url)
    const { name, data, metadata } = event()
    await theirs.append(
      'agency-other',
      'no-stream',
      chainHashes('agency-other', { revision: -1, hash: null }, [{ name, data, metadata }]),
    )
    await theirs.close()
    expect(await run()).toMatchObject({
      code: 1,
      text: expect.stringContaining('events of another installation (in agency-other). Nothing was changed.'),
    })
    expect([eventStore.log.entries.length, await databaseIsEmpty()]).toEqual([1, true])
    expect(await readdir(join(server.dataDir, 'media'))).toHaveLength(1)
  })
})

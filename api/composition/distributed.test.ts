/** Several processes over one event store and one MongoDB, and the answers while one of the two is down. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { keptLog } from '../testing/all-logs.ts'
import { removeFolder, temporaryFolder } from '../../domain/test/folder.ts'
import { patience } from '../../domain/test/patience.ts'
import { clientProfileSchema } from '../../domain/agency/commands.ts'
import { flawIn } from '../../domain/event-store/chain.ts'
import { openEventStoreDB } from '../../domain/event-store/eventstoredb.ts'
import { startEventStore, type TestEventStore } from '../../domain/event-store/test/fake-eventstoredb/server.ts'
import { all } from '../../domain/event-store/test/samples.ts'
import { dropDatabase, hasMongo, newDatabase } from '../../projections/read-store/test/mongodb.ts'
import { run as runCommandLine } from '../bin/test/run.ts'
import * as audit from '../bin/commands/audit.ts'
import { ApiClient, connect } from '../http/client.ts'
import { later, systemClock, type Clock } from '../core/clock.ts'
import { readConfig } from '../runtime/config.ts'
import type { RouteName } from '../contract/index.ts'
import { startProcess, type Role, type RunningProcess } from './distributed.ts'
import { createCommands } from '../features/commands.ts'
import { redirectUri, serveSandbox, type Served } from '../sandbox/test/serving.ts'
import { startWire, type Wire } from '../testing/wire.ts'

const away = 'The data store is not available right now. Nothing was changed; please try again.'
const publicUrl = new URL(redirectUri).origin
const log = keptLog(process.env['TEST_LOG_LEVEL'] ?? 'silent')

describe.skipIf(!hasMongo)('Processes over EventStoreDB and MongoDB', () => {
  let folder: string
  let database: string
  let eventStore: TestEventStore
  let mongo: Wire
  let sandbox: Served
  let running: RunningProcess[]
  /** How many of them serve all tests; the others end with their test. */
  let lasting = 0
  let one: ApiClient
  let other: ApiClient

  const start = async (
    role: Role,
    eventStoreUrl = eventStore.url,
    clock: Clock = systemClock,
  ): Promise<RunningProcess> => {
    const address = new URL(database)
    address.host = `127.0.0.1:${mongo.port}`
    address.searchParams.set('directConnection', 'true')
    const config = readConfig({
      PORT: '0',
      PUBLIC_URL: publicUrl,
      SANDBOX_URL: sandbox.url,
      PUBLISH_POLL_MS: '200',
      DATA_DIR: folder,
      EVENTSTORE_URL: eventStoreUrl,
      MONGODB_URL: address.href,
      SESSION_SECRET: 's'.repeat(32),
      ENCRYPTION_KEY: 'ab'.repeat(32),
      AUDIT_SIGNING_KEY: 'cd'.repeat(32),
    })
    const started = await startProcess(role, config, {
      log,
      webRoot: join(folder, 'no-web'),
      clock,
      limits: { failures: 10, perAddress: 100_000, registrations: 100_000 },
    })
    running.push(started)
    return started
  }
  const readiness = (url: string, status: number) =>
    vi.waitFor(
      async () => {
        const answer = await fetch(`${url}/readyz`)
        expect(`${answer.status} ${await answer.text()}`).toMatch(String(status))
      },
      { ...patience, interval: 50 },
    )
  const ready = (url: string) => readiness(url, 200)
  const names = async (who: ApiClient) => (await who.callOrThrow('listClients')).map(({ name }) => name).sort()
  const addClient = (who: ApiClient, name: string) => who.ask('addClient', { body: { name, industry: 'Coffee' } })

  beforeAll(async () => {
    running = []
    folder = await temporaryFolder('distributed')
    database = newDatabase()
    eventStore = await startEventStore()
    mongo = await startWire(new URL(database))
    sandbox = await serveSandbox(folder, systemClock)
    const projector = await start('projector')
    await ready(projector.localUrl)
    const urls = [(await start('api')).localUrl, (await start('api')).localUrl] as const
    await Promise.all(urls.map(ready))
    one = new ApiClient(urls[0])
    other = new ApiClient(urls[1])
    await one.callOrThrow('register', { body: { email: 'owner@example.com', password: 'correct horse' } })
    await one.callOrThrow('openAgency', {
      body: { name: 'North Star', email: 'hello@northstar.example', timeZone: 'Europe/Berlin' },
    })
    other.cookie = one.cookie
    lasting = running.length
  })

  beforeEach(() => Promise.all(running.map(({ localUrl }) => ready(localUrl))))
  afterEach(async () => {
    mongo.mend()
    eventStore.comeBack()
    eventStore.faults.next = []
    await Promise.all(running.splice(lasting).map((each) => each.close()))
  })

  afterAll(async () => {
    await Promise.all(running.map((each) => each.close()))
    await sandbox.close()
    await mongo.close()
    await eventStore.close()
    await dropDatabase(database)
    await removeFolder(folder)
  })

  it('let the audit verify their log and sign it, without settings that it does not use', async () => {
    const env = { EVENTSTORE_URL: eventStore.url, MONGODB_URL: database, AUDIT_SIGNING_KEY: 'cd'.repeat(32) }
    expect(await runCommandLine(audit, ['checkpoint'], env)).toMatchObject({ code: 0 })
    expect(await runCommandLine(audit, ['verify'], env)).toMatchObject({ code: 0, errors: '' })
    const { AUDIT_SIGNING_KEY: _, ...without } = env
    const refused = await runCommandLine(audit, ['checkpoint'], without)
    expect(refused.errors).toMatch(/^[^\n]*AUDIT_SIGNING_KEY: missing/m)
    expect(refused.errors).not.toMatch(/PUBLIC_URL|SESSION_SECRET|ENCRYPTION_KEY/)
  })

  it('read on each API the result of a command on the other, right after its answer', async () => {
    for (let round = 0; round < 3; round++) {
      for (const [writes, reads] of [
        [one, other],
        [other, one],
      ] as const) {
        const name = `Round ${round} at ${writes === one ? 'one' : 'the other'}`
        const added = await addClient(writes, name)
        expect([added.status, added.headers.get('X-Consistency')]).toEqual([201, null])
        expect(await names(reads)).toContain(name)
        const { id } = JSON.parse(added.text)
        expect((await reads.ask('removeClient', { params: { id } })).status).toBe(204)
        expect(await names(writes)).not.toContain(name)
      }
    }
  })

  describe('while MongoDB is down', () => {
    it("report each projection's lag in events, until it has caught up", async () => {
      const { id: agencyId, ownerId } = await one.callOrThrow('getAgency')
      const lag = async () => {
        const texts = await Promise.all(
          running.map(async ({ localUrl }) => (await fetch(`${localUrl}/metrics`)).text()),
        )
        return Object.fromEntries(
          [
            ...texts.join('\n').matchAll(/^socialai_projection_lag_events\{projection="(clients|posts)"\} (\d+)$/gm),
          ].map(([, name, events]) => [name, Number(events)]),
        )
      }
      await expect.poll(lag, patience).toEqual({ clients: 0, posts: 0 })
      mongo.cut()
      const events = openEventStoreDB(eventStore.url)
      const commands = createCommands({ events, clock: systemClock, freeSlot: async (_, __, ___, now) => now })
      const added = [randomUUID(), randomUUID(), randomUUID()]
      for (const clientId of added) {
        const profile = clientProfileSchema.parse({ name: `Client ${clientId}` })
        await commands.agency(
          agencyId,
          { type: 'AddClient', clientId, profile },
          { actor: { type: 'user', id: ownerId }, agencyId, correlationId: 'c' },
        )
      }
      await expect.poll(lag, patience).toEqual({ clients: 3, posts: 0 })
      mongo.mend()
      await expect.poll(lag, patience).toEqual({ clients: 0, posts: 0 })
      for (const clientId of added)
        expect((await one.ask('removeClient', { params: { id: clientId } })).status).toBe(204)
      await events.close()
    })

    it('answer signed-in users with an explanation, and lose nothing that was acknowledged', async () => {
      const before = await names(one)
      expect((await addClient(one, 'Before')).status).toBe(201)
      mongo.cut()
      for (const who of [one, other]) {
        expect(await who.ask('listClients')).toMatchObject({ status: 503, text: away })
        expect(await addClient(who, 'Never')).toMatchObject({ status: 503, text: away })
        await readiness(who.url, 503)
        expect((await fetch(`${who.url}/healthz`)).status).toBe(200)
      }
      mongo.mend()
      await Promise.all([one, other].map(({ url }) => ready(url)))
      await Promise.all(running.map(({ localUrl }) => ready(localUrl)))
      expect(await names(one)).toEqual(['Before', ...before].sort())
      expect((await addClient(other, 'After')).status).toBe(201)
      await expect.poll(() => names(one), patience).toEqual(['After', 'Before', ...before].sort())
    })

    it('report a change as saved when only its display fails', async () => {
      let isOver = false
      onTestFinished(() => void (isOver = true))
      void eventStore.log.appended().then(() => !isOver && mongo.cut())
      const asked = await one.ask('changeAgency', { body: { timeZone: 'Europe/Vienna' } })
      expect(asked).toMatchObject({ status: 503, text: expect.stringMatching(/^It was saved, but/) })
      mongo.mend()
      await ready(one.url)
      await expect.poll(async () => (await other.ask('getAgency')).text, patience).toMatch('Europe/Vienna')
    })

    it('keep each acknowledged post exactly once, across repeated outages', async () => {
      const { clientId, accountId } = await account(one)
      const acknowledged: string[] = []
      const write = async (who: ApiClient, content: string) => {
        const key = { 'Idempotency-Key': content }
        const body = { socialAccountId: accountId, content }
        // Retries as a browser does.
        for (let attempt = 0; attempt < 200; attempt++) {
          const { status, text } = await who.ask('writePost', { params: { id: clientId }, body, headers: key })
          if (status === 201) return void acknowledged.push(JSON.parse(text).id)
          if (status !== 503) throw new Error(`${status}: ${text}`)
        }
      }
      const writing = [one, other].flatMap((who, at) =>
        Array.from({ length: 10 }, (_, n) => write(who, `Post ${n} of ${at}`)),
      )
      for (let round = 0; round < 5; round++) {
        mongo.cut()
        await new Promise((resolve) => setImmediate(resolve))
        mongo.mend()
        await Promise.race(writing)
      }
      await Promise.all(writing)
      expect(acknowledged).toHaveLength(20)
      for (const who of [one, other]) {
        await expect
          .poll(async () => (await who.tellAll('listPosts', { params: { id: clientId } })).map(({ id }) => id).sort(), {
            ...patience,
          })
          .toEqual(acknowledged.toSorted())
      }
    })
  })

  it('publish a claimed post once, even if MongoDB fails meanwhile', async () => {
    const { clientId, accountId } = await account(one)
    await connect(one, accountId)
    await start('worker')
    await sandbox.plan('facebook', 'Blue Cup', { kind: 'slow', delayMs: 1_500, step: 'publish' })
    const content = 'Sent while the views were away'
    const { id } = await one.callOrThrow('writePost', {
      params: { id: clientId },
      body: { socialAccountId: accountId, content },
    })
    await one.callOrThrow('publishPost', { params: { id } })
    const happened = (type: string) =>
      expect
        .poll(() => eventStore.log.stream(`post-${id}`)?.filter((event) => event.type === type).length, {
          ...patience,
        })
        .toBe(1)
    await expect
      .poll(() => sandbox.requests().some(({ body }) => JSON.stringify(body).includes(content)), patience)
      .toBe(true)
    mongo.cut()
    await happened('PostPublished')
    mongo.mend()
    await expect
      .poll(async () => (await one.ask('getPost', { params: { id } })).text, patience)
      .toMatch(/"status":"published"/)
    expect(await sandbox.posts()).toHaveLength(1)
  })

  it('remind of a step that waits, once, by one of two workers beside the projector', async () => {
    const { clientId, accountId } = await account(one)
    await one.callOrThrow('setApprovalPolicy', {
      params: { id: clientId },
      body: {
        steps: [{ id: randomUUID(), name: 'The owner', who: { kind: 'role', role: 'owner' }, need: 'any' }],
        ownApproval: 'agency',
        timePart: { kind: 'free' },
        remindAfterHours: [1],
      },
    })
    const { id } = await one.callOrThrow('writePost', {
      params: { id: clientId },
      body: { socialAccountId: accountId, content: 'Waits for its step' },
    })
    await one.callOrThrow('changePost', { params: { id }, body: { status: 'pending' } })
    const inTwoHours = { now: () => later(systemClock.now(), 2 * 3_600_000) }
    for (let workers = 0; workers < 2; workers++) await start('worker', eventStore.url, inTwoHours)
    const reminders = () =>
      eventStore.log.stream(`post-${id}`)?.filter(({ type }) => type === 'PostStepReminded').length
    await expect.poll(reminders, patience).toBe(1)
  })

  it.each(['api', 'projector', 'worker'] as const)(
    'refuse to start on a log that has less than the views: %s',
    async (role) => {
      const older = await startEventStore()
      await expect(start(role, older.url)).rejects.toThrow(
        /^The read models are ahead of the event log \(.*Nothing was started\. Stop every process and drop MongoDB's collections/,
      )
      await older.close()
    },
  )

  describe('while EventStoreDB is down', () => {
    it('show views, refuse changes with an explanation, and resume when it is back', async () => {
      const before = await names(one)
      const reads = ['listClients', 'getAgency', 'getDashboard', 'listAnalytics'] as const
      for (const who of [one, other]) for (const name of reads) expect((await who.ask(name)).status).toBe(200)
      eventStore.leave()
      for (const who of [one, other]) {
        for (const name of reads) expect([name, (await who.ask(name)).status]).toEqual([name, 200])
        expect(await names(who)).toEqual(before)
        expect(await addClient(who, 'Never')).toMatchObject({ status: 503, text: away })
      }
      eventStore.comeBack()
      expect((await addClient(one, 'After the log came back')).status).toBe(201)
      await expect.poll(() => names(other), patience).toEqual([...before, 'After the log came back'].sort())
      await Promise.all(running.map(({ localUrl }) => ready(localUrl)))
    })

    it('show everything but histories right after their start, to the owner alone', async () => {
      const shown = await whatIsThere(one)
      const stranger = new ApiClient(one.url)
      await stranger.callOrThrow('register', { body: { email: 'stranger@example.com', password: 'correct horse' } })
      await stranger.callOrThrow('openAgency', {
        body: { name: 'Elsewhere', email: 'hello@elsewhere.example', timeZone: 'UTC' },
      })
      eventStore.leave()
      const { localUrl } = await start('api')
      const [mine, theirs] = [new ApiClient(localUrl), new ApiClient(localUrl)]
      mine.cookie = one.cookie
      theirs.cookie = stranger.cookie
      for (const { name, sending, answer } of shown.reads) {
        expect([name, await mine.ask(name, sending)]).toMatchObject([name, { status: 200, text: answer }])
        const asked = await theirs.ask(name, sending)
        expect([name, asked.status]).toEqual([name, 'params' in sending ? 404 : 200])
        for (const id of shown.ids) expect(asked.text).not.toContain(id)
      }
      for (const name of ['getPostHistory', 'getPostDelivery'] as const)
        expect(await mine.ask(name, { params: { id: shown.postId } })).toMatchObject({ status: 503, text: away })
      expect(await addClient(mine, 'Never')).toMatchObject({ status: 503, text: away })
      eventStore.comeBack()
      await ready(localUrl)
      expect((await addClient(mine, 'By the new one')).status).toBe(201)
      expect((await mine.ask('getPostHistory', { params: { id: shown.postId } })).status).toBe(200)
    })

    it('wait for a silent log once, not for each answer', async () => {
      const shown = await whatIsThere(one)
      const mute = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1')
      onTestFinished(() => void mute.close())
      await once(mute, 'listening')
      const { localUrl } = await start('api', `esdb://127.0.0.1:${(mute.address() as AddressInfo).port}?tls=false`)
      const mine = new ApiClient(localUrl)
      mine.cookie = one.cookie
      const readsOf = async (client: ApiClient) => {
        const began = performance.now()
        for (const { name, sending, answer } of shown.reads)
          expect([name, await client.ask(name, sending)]).toMatchObject([name, { status: 200, text: answer }])
        return performance.now() - began
      }
      const withoutWaitMs = await readsOf(one)
      // One wait takes about two seconds, so one for each answer would take twice this long.
      expect((await readsOf(mine)) - withoutWaitMs).toBeLessThan(shown.reads.length * 1_000)
    })

    it('report an unknown outcome when a change may or may not be saved', async () => {
      eventStore.faults.next = ['silent-after', 'silent-after', 'silent-after', 'silent-after']
      const asked = await one.ask('changeAgency', { body: { timeZone: 'Europe/Rome' } })
      expect(asked).toMatchObject({
        status: 503,
        text: expect.stringMatching(/^The data store stopped answering .* Check whether it was saved/),
      })
      expect(await one.callOrThrow('changeAgency', { body: { timeZone: 'Europe/Rome' } })).toMatchObject({
        timeZone: 'Europe/Rome',
      })
    })

    it('keep every stream intact', async () => {
      const events = openEventStoreDB(eventStore.url)
      const streams = new Map<string, Awaited<ReturnType<typeof all>>>()
      for (const event of await all(events.readAll(null)))
        streams.set(event.stream, [...(streams.get(event.stream) ?? []), event])
      await events.close()
      expect(streams.size).toBeGreaterThanOrEqual(20)
      for (const [stream, stored] of streams) expect([stream, flawIn(stream, stored)]).toEqual([stream, null])
    })
  })

  /** Every read, with its answer in normal operation. */
  async function whatIsThere(who: ApiClient) {
    const { clientId, accountId } = await account(who)
    await connect(who, accountId)
    const { id: postId } = await who.callOrThrow('writePost', {
      params: { id: clientId },
      body: { socialAccountId: accountId, content: 'On its way' },
    })
    const scheduledFor = later(systemClock.now(), 20 * 60_000)
    await who.callOrThrow('changePost', { params: { id: postId }, body: { status: 'scheduled', scheduledFor } })
    const month = scheduledFor.slice(0, 7)
    const asked: readonly (readonly [RouteName, Parameters<ApiClient['ask']>[1] & object])[] = [
      ['getAgency', {}],
      ['getDashboard', {}],
      ['listClients', {}],
      ['listAnalytics', {}],
      ['getCalendar', { query: { month } }],
      ['getClient', { params: { id: clientId } }],
      ['listSocialAccounts', { params: { id: clientId } }],
      ['listPosts', { params: { id: clientId } }],
      ['getPost', { params: { id: postId } }],
    ]
    const reads = []
    for (const [name, sending] of asked) {
      const { status, text } = await who.ask(name, sending)
      expect([name, status]).toEqual([name, 200])
      reads.push({ name, sending, answer: text })
    }
    return { reads, postId, ids: [clientId, accountId, postId] }
  }

  async function account(who: ApiClient) {
    const { id: clientId } = await who.callOrThrow('addClient', { body: { name: 'Blue Cup', industry: 'Coffee' } })
    const { id: accountId } = await who.callOrThrow('addSocialAccount', {
      params: { id: clientId },
      body: { platform: 'facebook', accountName: 'Blue Cup' },
    })
    return { clientId, accountId }
  }
})

/** Processes that start while a store is down, or whose start fails halfway. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { keptLog } from '../testing/all-logs.ts'
import { freePort } from '../../domain/test/free-port.ts'
import { removeFolder, temporaryFolder } from '../../domain/test/folder.ts'
import { patience } from '../../domain/test/patience.ts'
import { startEventStore, type TestEventStore } from '../../domain/event-store/test/fake-eventstoredb/server.ts'
import { selfSigned } from '../../domain/event-store/test/fake-eventstoredb/certificate.ts'
import { openEmbeddedEventStore } from '../../domain/event-store/embedded.ts'
import { StoreUnavailable } from '../../domain/event-store/port.ts'
import { openEmbeddedReadStore } from '../../projections/read-store/embedded.ts'
import { dropDatabase, hasMongo, newDatabase } from '../../projections/read-store/test/mongodb.ts'
import { readConfig } from '../runtime/config.ts'
import { productVersion } from '../runtime/version.ts'
import { startProcess, type Role, type RunningProcess } from './distributed.ts'
import { startEmbedded } from './embedded.ts'
import { openMediaFolder } from '../features/media/folder.ts'
import { openEmbeddedRecords } from '../records/embedded.ts'
import type { Records } from '../records/port.ts'
import { storesOf } from '../runtime/stores.ts'
import { startWire, type Wire } from '../testing/wire.ts'
import { compiled } from '../../domain/test/compiled.ts'

const log = keptLog('silent')
const secrets = {
  SESSION_SECRET: 's'.repeat(32),
  ENCRYPTION_KEY: 'ab'.repeat(32),
  AUDIT_SIGNING_KEY: 'cd'.repeat(32),
  PUBLIC_URL: 'http://localhost:3000',
}
let folder: string
beforeEach(async () => {
  folder = await temporaryFolder('starting')
})
afterEach(() => removeFolder(folder))

describe.skipIf(!hasMongo)('A process that starts while a store is down', () => {
  let database: string
  let mongo: Wire
  let eventStore: TestEventStore
  beforeEach(async () => {
    database = newDatabase()
    mongo = await startWire(new URL(database))
    eventStore = await startEventStore()
  })
  afterEach(async () => {
    await mongo.close()
    await eventStore.close()
    await dropDatabase(database)
  })

  const settings = async () => {
    const address = new URL(database)
    address.host = `127.0.0.1:${mongo.port}`
    address.searchParams.set('directConnection', 'true')
    return {
      ...secrets,
      PORT: String(await freePort()),
      DATA_DIR: folder,
      EVENTSTORE_URL: eventStore.url,
      MONGODB_URL: address.href,
    }
  }
  const begin = async (role: Role, given: Readonly<Record<string, string>> = {}) => {
    const config = readConfig({ ...(await settings()), ...given })
    const starting = startProcess(role, config, { log, webRoot: join(folder, 'no-web') })
    let running: RunningProcess | null = null
    starting.then(
      (process) => (running = process),
      () => {},
    )
    const ask = async (path: string) => {
      const answer = await fetch(`http://127.0.0.1:${config.PORT}${path}`, { headers: { connection: 'close' } })
      return `${answer.status} ${await answer.text()}`
    }
    return { starting, ask, isRunning: () => running !== null }
  }
  const soon = patience

  it.each(['api', 'worker', 'projector'] as const)('waits for MongoDB, and says so: %s', async (role) => {
    mongo.cut()
    const { starting, ask, isRunning } = await begin(role)
    await expect.poll(() => ask('/readyz'), soon).toBe("503 MongoDB can't be reached just now")
    expect(await ask('/healthz')).toBe(`200 ok ${await productVersion()}`)
    if (role === 'api')
      expect(await ask('/api/clients')).toBe('503 The data store is not available right now. Please try again.')
    expect(isRunning()).toBe(false)
    mongo.mend()
    const running = await starting
    if (role === 'projector') await expect.poll(() => ask('/readyz'), soon).toBe('200 ready')
    await running.close()
  })

  it.each(['worker', 'projector'] as const)('waits for EventStoreDB, and says so: %s', async (role) => {
    eventStore.leave()
    const { starting, ask, isRunning } = await begin(role)
    await expect.poll(() => ask('/readyz'), soon).toBe("503 EventStoreDB can't be reached just now")
    expect(isRunning()).toBe(false)
    eventStore.comeBack()
    const running = await starting
    await running.close()
  })

  it.each(['api', 'worker', 'projector'] as const)(
    'tells the reason where EventStoreDB refuses its settings: %s',
    async (role) => {
      const lines: string[] = []
      const certificate = selfSigned()
      const [ca, other] = [join(folder, 'ca.crt'), join(folder, 'other.crt')]
      await writeFile(ca, certificate.cert)
      await writeFile(other, selfSigned().cert)
      const secured = await startEventStore({
        certificate,
        logins: [{ username: 'few', password: 'x', isAdmin: false }],
      })
      const address = (trusted: string) => `esdb://few:x@localhost:${secured.port}?tls=true&tlsCAFile=${trusted}`
      for (const [url, reason] of [
        [address(other), /^503 The certificate of EventStoreDB is not accepted \(self-signed certificate\)/],
        [address(ca), /^503 The user few of EVENTSTORE_URL lacks the right to read \$all in EventStoreDB\. An admin/],
      ] as const) {
        const stopping = new AbortController()
        const config = readConfig({ ...(await settings()), EVENTSTORE_URL: url })
        const to = pino({}, { write: (line) => void lines.push(line) })
        const starting = startProcess(role, config, { log: to, webRoot: join(folder, 'no-web') }, stopping.signal)
        const ready = async () => {
          const answer = await fetch(`http://127.0.0.1:${config.PORT}/readyz`, { headers: { connection: 'close' } })
          return `${answer.status} ${await answer.text()}`
        }
        await expect.poll(ready, soon).toMatch(reason)
        const said = (await ready()).split('\n')[0]?.replace(/^503 /, '')
        const reasons = lines.map((line) => (JSON.parse(line) as { reason?: string }).reason)
        expect(reasons.filter((each) => each === said).length).toBeGreaterThan(0)
        stopping.abort()
        await starting.then(
          (running) => running.close(),
          () => {},
        )
      }
      await secured.close()
    },
  )

  it('is ready only while a projector leads each view', async () => {
    const projector = await begin('projector')
    const leading = await projector.starting
    const api = await begin('api')
    const serving = await api.starting
    await expect.poll(() => api.ask('/readyz'), soon).toBe('200 ready')
    await leading.close()
    await expect.poll(() => api.ask('/readyz'), soon).toMatch(/^503 No projector builds agency, clients, /)
    const next = await begin('projector')
    const after = await next.starting
    await expect.poll(() => api.ask('/readyz'), soon).toBe('200 ready')
    await serving.close()
    await after.close()
  })

  it('is not ready while EventStoreDB is silent: projector', async () => {
    const wire = await startWire(new URL(eventStore.url.replace('esdb:', 'http:')))
    const { starting, ask } = await begin('projector', { EVENTSTORE_URL: `esdb://127.0.0.1:${wire.port}?tls=false` })
    const running = await starting
    await expect.poll(() => ask('/readyz'), soon).toBe('200 ready')
    wire.mute()
    // Its projections fail a little later.
    await expect.poll(() => ask('/readyz'), soon).toMatch(/^503 The event log does not answer/)
    wire.mend()
    await expect.poll(() => ask('/readyz'), soon).toBe('200 ready')
    await running.close()
    await wire.close()
  })

  it.each(['api', 'worker', 'projector'] as const)(
    'exits with 0 when told to stop while it waits: %s',
    async (role) => {
      mongo.cut()
      const env = { ...process.env, ...(await settings()) }
      const child = spawn(process.execPath, [compiled('api/bin/process.ts'), role], { env, stdio: 'pipe' })
      onTestFinished(() => void child.kill('SIGKILL'))
      let said = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
      await expect.poll(() => said, soon).toContain('A store is unavailable; starting once it is reachable')
      child.kill('SIGTERM')
      const [code] = await once(child, 'close')
      expect(code).toBe(0)
      expect(said).not.toContain('    at ')
    },
  )
})

it(
  'A start that fails halfway leaves nothing running: the next one on the same folder succeeds',
  { tags: 'long' },
  async () => {
    const config = readConfig({ PORT: '0', DATA_DIR: folder })
    const options = { log, webRoot: join(folder, 'no-web') }
    const asked: string[] = []
    const failing = (records: Records): Records => ({
      ...records,
      table: async (definition) => {
        asked.push(definition.table)
        // The last table to be opened, by a process that starts after the publisher.
        if (definition.table === 'checkpoints') throw new StoreUnavailable('It went away in the middle')
        return records.table(definition)
      },
    })
    const openStores = async () =>
      storesOf({
        events: await openEmbeddedEventStore(join(folder, 'events.db')),
        store: await openEmbeddedReadStore(join(folder, 'views.db')),
        records: failing(await openEmbeddedRecords(join(folder, 'records.db'))),
        media: await openMediaFolder(join(folder, 'media')),
      })
    await expect(startEmbedded(config, { ...options, openStores })).rejects.toThrow('It went away in the middle')
    expect(asked.at(-1)).toBe('checkpoints')
    const running = await startEmbedded(config, options)
    expect((await fetch(`${running.url}/readyz`, { headers: { connection: 'close' } })).status).toBe(200)
    await running.close()
  },
)

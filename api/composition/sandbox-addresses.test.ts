/** A sandbox with two addresses, as in containers: one behind the proxy for browsers, another one for processes. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { freePort } from '../../domain/test/free-port.ts'
import { startEventStore, type TestEventStore } from '../../domain/event-store/test/fake-eventstoredb/server.ts'
import { removeFolder, temporaryFolder } from '../../domain/test/folder.ts'
import { patience } from '../../domain/test/patience.ts'
import { jpeg } from '../features/media/test/helpers.ts'
import { dropDatabase, hasMongo, newDatabase } from '../../projections/read-store/test/mongodb.ts'
import type { UploadedImage } from '../contract/index.ts'
import { ApiClient, connect } from '../http/client.ts'
import { readConfig } from '../runtime/config.ts'
import { startProcess, type RunningProcess } from './distributed.ts'
import { compiled } from '../../domain/test/compiled.ts'

interface Proxy {
  readonly url: string
  /** The paths below `/sandbox` that were asked for. */
  readonly sandboxPaths: readonly string[]
  close(): Promise<void>
}

const portOf = (server: Server) => (server.address() as AddressInfo).port

/** Passes `/sandbox` to one port and the rest to another, like ops/nginx.conf. */
async function startProxy(api: number, sandbox: number): Promise<Proxy> {
  const sandboxPaths: string[] = []
  const server = createServer((asked, answer) => {
    const path = asked.url ?? ''
    const isSandbox = path.startsWith('/sandbox/')
    if (isSandbox) sandboxPaths.push(path)
    const port = isSandbox ? sandbox : api
    const passed = request({ host: '127.0.0.1', port, method: asked.method, path, headers: asked.headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(answer)
    })
    passed.on('error', () => answer.destroy())
    asked.pipe(passed)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://localhost:${portOf(server)}`,
    sandboxPaths,
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

/** The program of `npm run sandbox`. */
async function startSandbox(env: Readonly<Record<string, string>>): Promise<ChildProcess> {
  const child = spawn(process.execPath, [compiled('api/bin/sandbox.ts')], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return child
}

describe.skipIf(!hasMongo)('A sandbox with one address for browsers and another for processes', () => {
  let folder: string
  let database: string
  let eventStore: TestEventStore
  let proxy: Proxy
  let sandbox: ChildProcess
  let running: RunningProcess[]
  let caller: ApiClient
  let internalUrl: string

  beforeAll(async () => {
    folder = await temporaryFolder('two-addresses')
    database = newDatabase()
    eventStore = await startEventStore()
    const [apiPort, sandboxPort] = [await freePort(), await freePort()]
    proxy = await startProxy(apiPort, sandboxPort)
    internalUrl = `http://127.0.0.1:${sandboxPort}`
    const shared = {
      PUBLIC_URL: proxy.url,
      SANDBOX_URL: `${proxy.url}/sandbox`,
      SANDBOX_INTERNAL_URL: `${internalUrl}/sandbox`,
      PUBLIC_INTERNAL_URL: `http://127.0.0.1:${apiPort}`,
      DATA_DIR: folder,
    }
    sandbox = await startSandbox({ ...shared, PORT: String(sandboxPort) })
    const config = readConfig({
      ...shared,
      PUBLISH_POLL_MS: '25',
      EVENTSTORE_URL: eventStore.url,
      MONGODB_URL: database,
      SESSION_SECRET: 's'.repeat(32),
      ENCRYPTION_KEY: 'ab'.repeat(32),
      AUDIT_SIGNING_KEY: 'cd'.repeat(32),
    })
    const parts = { log: pino({ level: 'silent' }), webRoot: join(folder, 'no-web') }
    running = []
    running.push(await startProcess('projector', { ...config, PORT: 0 }, parts))
    running.push(await startProcess('api', { ...config, PORT: apiPort }, parts))
    running.push(await startProcess('worker', { ...config, PORT: 0 }, parts))
    caller = new ApiClient(proxy.url)
    await vi.waitFor(async () => expect((await caller.get('/readyz')).status).toBe(200), patience)
    await caller.callOrThrow('register', { body: { email: 'owner@example.com', password: 'correct horse' } })
    await caller.callOrThrow('openAgency', {
      body: { name: 'North Star', email: 'hello@northstar.example', timeZone: 'Europe/Berlin' },
    })
  })

  afterAll(async () => {
    await Promise.all(running.map((one) => one.close()))
    await proxy.close()
    sandbox.kill()
    await once(sandbox, 'exit')
    await eventStore.close()
    await dropDatabase(database)
    await removeFolder(folder)
  })

  const posted = async (platform: 'linkedin' | 'instagram', imageUrl?: string) => {
    const { id: clientId } = await caller.callOrThrow('addClient', { body: { name: 'Blue Cup', industry: 'Coffee' } })
    const { id: socialAccountId } = await caller.callOrThrow('addSocialAccount', {
      params: { id: clientId },
      body: { platform, accountName: 'Blue Cup' },
    })
    await connect(caller, socialAccountId)
    const { id } = await caller.callOrThrow('writePost', {
      params: { id: clientId },
      body: { socialAccountId, content: 'Fresh beans', ...(imageUrl === undefined ? {} : { imageUrl }) },
    })
    return id
  }
  const approvedAndPublished = async (id: string) => {
    for (const status of ['pending', 'approved'] as const)
      await caller.callOrThrow('changePost', { params: { id }, body: { status } })
    await caller.callOrThrow('publishPost', { params: { id } })
    return vi.waitFor(
      async () => {
        const post = await caller.callOrThrow('getPost', { params: { id } })
        expect(post.status).toBe('published')
        return post
      },
      { ...patience, interval: 100 },
    )
  }

  it('answers the health check of its container', async () => {
    expect((await fetch(`${internalUrl}/healthz`)).status).toBe(200)
  })

  it('lets a user connect, approve and publish; only the browser comes through the proxy', async () => {
    const id = await posted('linkedin')
    const { url } = await approvedAndPublished(id)
    expect(url).toMatch(new RegExp(`^${proxy.url}/sandbox/feeds/linkedin/`))
    expect((await fetch(url ?? '')).status).toBe(200)
    expect(proxy.sandboxPaths.filter((path) => !/^\/sandbox\/(feeds|linkedin\/oauth)\//.test(path))).toEqual([])
  })

  it('fetches the image of an Instagram post at the internal address of the API', async () => {
    const { text } = await caller.ask('uploadImage', {
      body: new Blob([new Uint8Array(jpeg(1080, 1080))], { type: 'image/jpeg' }),
    })
    const { url } = JSON.parse(text) as UploadedImage
    expect(url).toMatch(new RegExp(`^${proxy.url}/media/`))
    const id = await posted('instagram', url)
    await approvedAndPublished(id)
  })
})

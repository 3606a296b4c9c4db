/**
 * The distributed shape as it runs in production: six processes, their stores, and a proxy in front of the two APIs.
 */
import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import { join, resolve } from 'node:path'
import { expect } from '@playwright/test'
import { removeFolder, temporaryFolder } from '../../domain/test/folder.ts'
import { SandboxStore } from '../../api/sandbox/store/store.ts'
import { startWire, type Wire } from '../../api/testing/wire.ts'
import { dropDatabase, newDatabase } from '../../projections/read-store/test/mongodb.ts'
import type { EventStore } from '../../domain/event-store/port.ts'
import { freePort } from '../../domain/test/free-port.ts'
import { ended, started, type Program } from './program.ts'
import { openSharedLog } from './shared-log.ts'

export const members = ['projector1', 'projector2', 'worker1', 'worker2', 'api1', 'api2'] as const
export type Member = (typeof members)[number]

export interface Cluster {
  /** Where people reach it. */
  readonly url: string
  /** Where one process answers, without the proxy in front. */
  addressOf(member: Member): string
  readonly sandboxUrl: string
  /** The log, as its processes see it. */
  openLog(): EventStore
  readonly mongoUrl: string
  /** `kill -9` without a restart. */
  kill(member: Member): Promise<void>
  start(member: Member): Promise<void>
  /** Pauses the process like a stalled machine, until `resume`. */
  pause(member: Member): void
  resume(member: Member): void
  /** Its metrics for Prometheus. */
  metrics(member: Member): Promise<string>
  /** What its health check says. */
  readiness(member: Member): Promise<string>
  /** The wires between the processes and the stores. */
  readonly wires: { readonly events: Wire; readonly documents: Wire }
  /** Stops the sandbox, and returns everything on its networks. */
  feed(): Promise<readonly string[]>
  /** The output of its processes. */
  output(): string
  close(): Promise<void>
}

/** From the built server in dist/. @param wanted those to start at first */
export async function startCluster(
  extra: Readonly<Record<string, string>> = {},
  wanted: readonly Member[] = members,
): Promise<Cluster> {
  const folder = await temporaryFolder('cluster')
  const mongoUrl = newDatabase()
  const [sandboxPort, frontPort] = [await freePort(), await freePort()]
  const ports = Object.fromEntries(
    await Promise.all(members.map(async (member) => [member, await freePort()] as const)),
  )
  const url = `http://localhost:${frontPort}`
  const sandboxUrl = `http://localhost:${sandboxPort}/sandbox`
  const log = await openSharedLog()
  const wires = {
    events: await startWire(log.at),
    documents: await startWire(new URL(mongoUrl)),
  }
  const wiredMongo = new URL(mongoUrl)
  wiredMongo.host = `127.0.0.1:${wires.documents.port}`
  const env = {
    NODE_ENV: 'test',
    LOG_LEVEL: 'error',
    REQUESTS_PER_MINUTE: '100000000',
    PUBLIC_URL: url,
    SANDBOX_URL: sandboxUrl,
    EVENTSTORE_URL: log.through(wires.events.port),
    MONGODB_URL: wiredMongo.href,
    SESSION_SECRET: 's'.repeat(40),
    ENCRYPTION_KEY: 'ab'.repeat(32),
    AUDIT_SIGNING_KEY: 'cd'.repeat(32),
    DATA_DIR: folder,
    COLLECT_AFTER_SECONDS: '1',
    ...log.env,
    ...extra,
  }
  const sandbox = await started(
    [resolve('dist/api/bin/sandbox.js')],
    { ...env, PORT: String(sandboxPort) },
    'are running',
  )
  const running = new Map<Member, Program>()
  const said: string[] = []

  const start = async (member: Member) => {
    const program = await started(
      [...log.preloaded, resolve('dist/api/bin/process.js'), member.slice(0, -1)],
      { ...env, PORT: String(ports[member]) },
      'running',
    )
    running.set(member, program)
  }
  // Projectors first: the others wait for the views.
  await Promise.all(wanted.filter((member) => member.startsWith('projector')).map(start))
  await Promise.all(wanted.filter((member) => !member.startsWith('projector')).map(start))
  // As a load balancer does: until the views are led, an API refuses to write.
  for (const member of wanted)
    await expect.poll(() => asked(ports[member], '/readyz'), { timeout: 60_000, intervals: [100] }).toBe('ready')
  const front = await frontOf(frontPort, () =>
    (['api1', 'api2'] as const).filter((api) => running.has(api)).map((api) => ports[api] ?? 0),
  )

  return {
    url,
    addressOf: (member) => `http://localhost:${ports[member]}`,
    sandboxUrl,
    openLog: log.open,
    mongoUrl,
    start,
    async kill(member) {
      const program = running.get(member)
      running.delete(member)
      if (!program) return
      said.push(program.output())
      await ended(program, 'SIGKILL')
    },
    pause: (member) => void running.get(member)?.child.kill('SIGSTOP'),
    resume: (member) => void running.get(member)?.child.kill('SIGCONT'),
    metrics: (member) => asked(ports[member], '/metrics'),
    readiness: (member) => asked(ports[member], '/readyz'),
    wires,
    async feed() {
      await ended(sandbox, 'SIGTERM')
      const kept = new SandboxStore(join(folder, 'sandbox.db'))
      try {
        return kept.feed.everything().map(({ content }) => content)
      } finally {
        kept.close()
      }
    },
    output: () => [...said, ...[...running.values()].map(({ output }) => output())].join(''),
    async close() {
      front.closeAllConnections()
      await new Promise((done) => front.close(done))
      await Promise.all([...running.values(), sandbox].map((program) => ended(program, 'SIGTERM')))
      await Promise.all(Object.values(wires).map((wire) => wire.close()))
      await log.close()
      await dropDatabase(mongoUrl)
      await removeFolder(folder)
    },
  }
}

async function asked(port: number | undefined, path: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close' } })
  return answer.text()
}

/** Sends each request to the next API, and skips an API that is down. */
async function frontOf(port: number, upstreams: () => readonly number[]): Promise<Server> {
  let turn = 0
  const server = createServer((asked, answer) => {
    const all = upstreams()
    const upstream = all[turn++ % Math.max(1, all.length)]
    const passed = request(
      { host: '127.0.0.1', port: upstream, method: asked.method, path: asked.url, headers: asked.headers },
      (reply) => {
        answer.writeHead(reply.statusCode ?? 502, reply.headers)
        reply.pipe(answer)
      },
    )
    passed.on('error', () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end('Nobody answers')))
    answer.on('close', () => passed.destroy())
    asked.pipe(passed)
  })
  server.listen(port)
  await once(server, 'listening')
  return server
}

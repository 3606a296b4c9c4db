/** Starts the server that is attacked, measures it, and watches how it serves a person meanwhile. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import type { EdgeTimeouts } from '../../http/edge-timeouts.ts'

export type Timeouts = EdgeTimeouts

export interface Started {
  readonly url: string
  readonly folder: string
}

/** In megabytes: heap, external memory and array buffers after a forced collection; and what the system counts. */
export interface Measure {
  readonly memory: number
  readonly rss: number
  readonly descriptors: number
}

export interface AttackedServer extends Started {
  readonly port: number
  measure(): Promise<Measure>
  /** What it has logged: errors only. */
  log(): string
  /** Null while it runs. */
  exitCode(): number | null
  stop(): Promise<void>
}

/** Short enough for a test, long enough for a busy machine. */
export const shortTimeouts: Timeouts = { headersMs: 2_000, requestMs: 2_500, bodyMs: 1_000, idleMs: 2_500, stallMs: 1_000, checkMs: 200 }

/** @param settings of the environment, besides those that the child sets itself */
export async function startAttackedServer(timeouts: Timeouts = shortTimeouts, settings: Readonly<Record<string, string>> = {}): Promise<AttackedServer> {
  const program = fileURLToPath(new URL('server.child.ts', import.meta.url))
  const env = { ...process.env, ...settings, EDGE_TIMEOUTS: JSON.stringify(timeouts) }
  const child = spawn(process.execPath, ['--expose-gc', '--import', 'tsx', program], { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  let logged = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part) => (logged += String(part)))
  const started = await Promise.race([told<Started>(child), once(child, 'exit').then(() => null)])
  if (!started) throw new Error(`The server did not start: ${logged}`)
  return {
    ...started,
    port: Number(new URL(started.url).port),
    async measure() {
      child.send('measure')
      return told<Measure>(child)
    },
    log: () => logged,
    exitCode: () => child.exitCode,
    async stop() {
      if (child.exitCode !== null) return
      child.send('stop')
      await once(child, 'exit')
    },
  }
}

async function told<T>(child: ChildProcess): Promise<T> {
  const [message] = await once(child, 'message')
  return message as T
}

export interface Watched {
  /** Milliseconds. */
  readonly p99: number
  readonly slowest: number
  readonly count: number
  /** Statuses other than 200. */
  readonly failed: readonly number[]
}

/** Asks for the list of clients every 50 ms, as a person who is signed in, until it is stopped. */
export function watchPerson({ port }: Pick<AttackedServer, 'port'>, cookie: string): () => Promise<Watched> {
  const agent = new Agent({ keepAlive: true, maxSockets: 50 })
  const times: number[] = []
  const failed: number[] = []
  const open = new Set<Promise<void>>()
  const ask = () =>
    new Promise<void>((resolve) => {
      const begun = performance.now()
      const asking = request({ port, host: '127.0.0.1', path: '/api/clients', agent, headers: { Cookie: cookie, Host: `localhost:${port}` } }, (response) => {
        response.resume().once('end', () => {
          times.push(performance.now() - begun)
          if (response.statusCode !== 200) failed.push(response.statusCode ?? 0)
          resolve()
        })
      })
      asking.once('error', () => {
        failed.push(0)
        resolve()
      })
      asking.end()
    })
  const timer = setInterval(() => {
    const asking = ask()
    open.add(asking)
    void asking.finally(() => open.delete(asking))
  }, 50)
  return async () => {
    clearInterval(timer)
    await Promise.all(open)
    agent.destroy()
    const sorted = times.toSorted((a, b) => a - b)
    const at = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
    return { p99: at(0.99), slowest: at(1), count: sorted.length, failed }
  }
}

/** Starts the server that is attacked, measures it, and watches how it serves a person meanwhile. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { EdgeTimeouts } from '../../http/edge-timeouts.ts'
import { compiled } from '../../../domain/test/compiled.ts'

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
export const shortTimeouts: Timeouts = {
  headersMs: 2_000,
  requestMs: 2_500,
  bodyMs: 1_000,
  idleMs: 2_500,
  stallMs: 1_000,
  checkMs: 200,
}

/** @param settings of the environment, besides those that the child sets itself */
export async function startAttackedServer(
  timeouts: Timeouts = shortTimeouts,
  settings: Readonly<Record<string, string>> = {},
): Promise<AttackedServer> {
  const program = compiled('api/testing/hostile/server.child.ts')
  const env = { ...process.env, ...settings, EDGE_TIMEOUTS: JSON.stringify(timeouts) }
  const child = spawn(process.execPath, ['--expose-gc', program], {
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let logged = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part) => (logged += String(part)))
  const started = await Promise.race([answerOf<Started>(child), once(child, 'exit').then(() => null)])
  if (!started) throw new Error(`The server did not start: ${logged}`)
  return {
    ...started,
    port: Number(new URL(started.url).port),
    async measure() {
      child.send('measure')
      return answerOf<Measure>(child)
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

async function answerOf<T>(child: ChildProcess): Promise<T> {
  const [message] = await once(child, 'message')
  return message as T
}

export interface Watched {
  /** Of the requests that were answered, in milliseconds, in no order. */
  readonly times: readonly number[]
  readonly failed: readonly Failure[]
}

export interface Failure {
  /** A status other than 200, or the error code of a connection that broke. */
  readonly reason: number | string
  /** From the request on. */
  readonly ms: number
}

/** The share's quantile of the times, rounded; 0 where there are none. @param share from 0 to 1 */
export function quantileOf(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
}

export interface Watcher {
  /** Forgets what was measured so far. */
  begin(): Promise<void>
  end(): Promise<Watched>
  stop(): Promise<void>
}

/** A person at work, in a process of their own, so that the attackers' own work delays no measurement. */
export async function startWatcher({ port }: Pick<AttackedServer, 'port'>, cookie: string): Promise<Watcher> {
  const program = compiled('api/testing/hostile/person.child.ts')
  const env = { ...process.env, WATCHED_PORT: String(port), WATCHED_COOKIE: cookie }
  const child = spawn(process.execPath, [program], {
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  await answerOf(child)
  return {
    async begin() {
      child.send('begin')
      await answerOf(child)
    },
    async end() {
      child.send('end')
      return answerOf<Watched>(child)
    },
    async stop() {
      child.kill()
      await once(child, 'exit')
    },
  }
}

/** The built server as a process of its own, that can be killed. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { keepOutput } from '../api/testing/all-logs.ts'
import { endWithTest } from './children.ts'

export interface ServerProcess {
  readonly url: string
  readonly pid: number
  /** Settles when it serves; rejects when it ended before. */
  readonly ready: Promise<void>
  readonly output: () => string
  /** `kill -9`: nothing is finished, nothing is closed. */
  kill(): Promise<void>
  /** Asks it to stop, as an operator would. */
  stop(): Promise<void>
}

export function startProcess(
  port: number,
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
  startsWithinMs = 30_000,
  // From the project's folder, where npm runs its scripts: the benchmarks run a compiled copy of this file.
  program = resolve('dist/api/bin/start.js'),
): ServerProcess {
  const child: ChildProcess = spawn(process.execPath, [program], {
    env: {
      ...process.env,
      NODE_ENV: 'test',
      PORT: String(port),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
      REQUESTS_PER_MINUTE: '100000000',
      LOG_MB_PER_DAY: '1000000',
      BACKUP: 'off',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  endWithTest(child)
  keepOutput(child)
  let output = ''
  const ended = once(child, 'exit')
  const ready = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`It did not start: ${output}`)), startsWithinMs)
    const hear = (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes('SocialAI is running')) resolve()
    }
    child.stdout?.on('data', hear)
    child.stderr?.on('data', hear)
    void ended.then(([code]) => reject(new Error(`It ended with ${String(code)}: ${output}`)))
    void ended.finally(() => clearTimeout(timer))
  })
  // A process killed during its start never becomes ready: only callers that await `ready` get the error.
  ready.catch(() => undefined)
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    child.kill(signal)
    await ended
  }
  return {
    url: `http://localhost:${port}`,
    pid: child.pid ?? 0,
    ready,
    output: () => output,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  }
}

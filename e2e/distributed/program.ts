/** Programs that run beside a test. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { keepOutput } from '../../api/testing/all-logs.ts'
import { endWithTest } from '../children.ts'

const startsWithinMs = 60_000

export interface Program {
  readonly child: ChildProcess
  readonly output: () => string
}

/** Starts a program and waits until it says that it runs. One that does not start in time is killed. */
export async function started(
  command: readonly string[],
  env: Readonly<Record<string, string>>,
  says: string,
): Promise<Program> {
  const child = endWithTest(
    spawn(process.execPath, [...command], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] }),
  )
  keepOutput(child)
  let output = ''
  const ready = new Promise<void>((done, fail) => {
    const timer = setTimeout(() => fail(new Error(`${command.join(' ')} did not start: ${output}`)), startsWithinMs)
    const hear = (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes(says)) done()
    }
    child.stdout?.on('data', hear)
    child.stderr?.on('data', hear)
    child.once('exit', (code) => fail(new Error(`${command.join(' ')} ended with ${String(code)}: ${output}`)))
    void Promise.resolve().then(() => child.once('exit', () => clearTimeout(timer)))
  })
  await ready.catch((error: unknown) => {
    child.kill('SIGKILL')
    throw error
  })
  return { child, output: () => output }
}

export async function ended({ child }: Program, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill(signal)
  await exit
}

/** What the command lines share: output, signals, expected errors and exit codes. */
import { once } from 'node:events'
import { Command, CommanderError } from 'commander'

export interface Output {
  readonly isTTY?: boolean
  /** Awaited by a command that writes much: it writes no faster than the reader reads. */
  write(text: string): unknown
}

/** What a command line has of its process; tests give it their own. */
export interface Shell {
  /** Without the name of the command line. */
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly out: Output
  readonly errors: Output
  /** Aborted by SIGINT, SIGTERM and `interrupt`. */
  readonly signal: AbortSignal
  interrupt(): void
}

export interface Failure {
  /** Null when it is printed already. */
  readonly message: string | null
  readonly exitCode: number
}

export interface CommandLine {
  /** Returns the exit code; nothing stands for 0. */
  main(shell: Shell): Promise<number | void>
  /** The failure for an expected error; null for any other, which is thrown with its stack. */
  readonly failureOf: (error: unknown, isInterrupted: boolean) => Failure | null
  /** A reader such as `head` may close the output early: the command goes on, or ends with exit code 0. */
  readonly onOutputClosed?: 'continue' | 'exit'
}

/** Runs a command line. @returns its exit code @throws any error that it doesn't expect */
export async function exitCodeOf({ main, failureOf }: CommandLine, shell: Shell): Promise<number> {
  try {
    return (await main(shell)) ?? 0
  } catch (error) {
    const failure = failureOf(error, shell.signal.aborted)
    if (failure === null) throw error
    if (failure.message !== null) await shell.errors.write(`${failure.message}\n`)
    return failure.exitCode
  }
}

const maxIntervalMs = 2 ** 31 - 1

/** Runs a command line on this process: its arguments, environment, streams and signals. */
export async function runInProcess(commandLine: CommandLine, args: readonly string[]): Promise<void> {
  const abort = new AbortController()
  const interrupt = () => abort.abort()
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    if (commandLine.onOutputClosed === 'exit') process.exit(0)
  })
  // A store that closes waits for its server with a timer that keeps no process alive: the process would end before the
  // command, with an exit code of Node's own (13).
  const alive = setInterval(() => undefined, maxIntervalMs)
  try {
    process.exitCode = await exitCodeOf(commandLine, {
      args,
      env: process.env,
      out: outputTo(process.stdout),
      errors: outputTo(process.stderr),
      signal: abort.signal,
      interrupt,
    })
  } finally {
    clearInterval(alive)
  }
}

const outputTo = (stream: NodeJS.WriteStream): Output => ({
  isTTY: stream.isTTY,
  write: (text) => (stream.write(text) ? undefined : once(stream, 'drain')),
})

type ErrorClass = abstract new (...args: never[]) => Error

/** @returns a `failureOf` for errors of these classes, all with one exit code */
export const expecting =
  (classes: readonly ErrorClass[], exitCode: number) =>
  (error: unknown): Failure | null =>
    error instanceof Error && classes.some((one) => error instanceof one) ? { message: error.message, exitCode } : null

/** A parser that prints to the shell and throws a `CommanderError` where it would end the process. */
export const programFor = (name: string, { out, errors }: Pick<Shell, 'out' | 'errors'>): Command =>
  new Command(name).exitOverride().configureOutput({
    writeOut: (text) => void out.write(text),
    writeErr: (text) => void errors.write(text),
  })

/** The failure for a `CommanderError`, which the parser has printed: help has exit code 0. */
export const usageFailure = (error: CommanderError, exitCode: number): Failure => ({
  message: null,
  exitCode: error.exitCode === 0 ? 0 : exitCode,
})

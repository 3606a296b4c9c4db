/** What the command lines share: signals, a closed output, expected errors and exit codes. */
export interface Shell {
  readonly args: readonly string[]
  /** Aborted by SIGINT, SIGTERM and `interrupt`. */
  readonly signal: AbortSignal
  interrupt(): void
}

export interface Failure {
  /** Null when it is printed already. */
  readonly message: string | null
  readonly exitCode: number
}

interface Options {
  /** The failure for an expected error; null for any other, which is thrown with its stack. */
  readonly failureOf: (error: unknown, isInterrupted: boolean) => Failure | null
  /** A reader such as `head` may close the output early: the command goes on, or ends with exit code 0. */
  readonly onOutputClosed?: 'continue' | 'exit'
}

/** Runs a command and sets the exit code that `main` returns, 0 by default. */
export async function runCommand(main: (shell: Shell) => Promise<number | void>, options: Options): Promise<void> {
  const abort = new AbortController()
  const interrupt = () => abort.abort()
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    if (options.onOutputClosed === 'exit') process.exit(0)
  })
  try {
    process.exitCode = (await main({ args: process.argv.slice(2), signal: abort.signal, interrupt })) ?? 0
  } catch (error) {
    const failure = options.failureOf(error, abort.signal.aborted)
    if (failure === null) throw error
    if (failure.message !== null) console.error(failure.message)
    process.exitCode = failure.exitCode
  }
}

type ErrorClass = abstract new (...args: never[]) => Error

/** @returns a `failureOf` for errors of these classes, all with one exit code */
export const expecting =
  (classes: readonly ErrorClass[], exitCode: number) =>
  (error: unknown): Failure | null =>
    error instanceof Error && classes.some((one) => error instanceof one) ? { message: error.message, exitCode } : null

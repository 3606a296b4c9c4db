/** Runs a program of the server: starts it or prints the reason for a failure, and stops it in order. */
import { setFlagsFromString } from 'node:v8'
import { pino, type Logger } from 'pino'
import { StoreUnavailable } from '../../domain/event-store/port.ts'
import { ConfigError, readConfig, type Config } from './config.ts'
import { VaultError } from '../networks/token-cipher.ts'
import { mustOpenEnoughFiles } from './open-files.ts'

interface Program {
  close(): Promise<void>
}

/**
 * The garbage that V8 lets accumulate, in percent of what is in use after a collection. By itself it lets some 70 MB
 * in use grow to 280; with 40 % a server under mixed load keeps 367 MB instead of 526, for 2 % more processor time
 * (`npm run bench memory`). The factor is read at each collection, so it can be set after the start
 * (GrowingFactor in V8, nodejs/node deps/v8/src/heap/heap-controller.cc, read 2026-11).
 */
const heapGrowthPercent = 40

/** Time limit for cleaning up a start that is interrupted. */
const startEndsWithinMs = 3_000

/**
 * Exits with 1 when the start fails, with 0 after a stop signal, even during the start. A second signal stops at once.
 */
export async function run(
  start: (config: Config, log: Logger, signal: AbortSignal) => Promise<Program>,
): Promise<void> {
  setFlagsFromString(`--heap-growing-percent=${heapGrowthPercent}`)
  const stopping = new AbortController()
  const onSignal = () => {
    if (stopping.signal.aborted) process.exit(1)
    stopping.abort()
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  const { signal } = stopping
  try {
    const config = readConfig(process.env)
    mustOpenEnoughFiles()
    const log = openLog(config)
    let isStarting = true
    const late = () => isStarting && process.exit(0)
    signal.addEventListener('abort', () => void setTimeout(late, startEndsWithinMs))
    const running = await start(config, log, signal)
    isStarting = false
    const stop = () =>
      running.close().then(
        () => process.exit(0),
        (error: unknown) => {
          log.error({ err: error }, 'Could not shut down cleanly')
          process.exit(1)
        },
      )
    if (signal.aborted) await stop()
    else signal.addEventListener('abort', () => void stop())
  } catch (error) {
    if (signal.aborted) process.exit(0)
    console.error(sentenceFor(error))
    process.exit(1)
  }
}

/** The limit on buffered characters of log lines; further lines are lost. */
const maxWaiting = 1_000_000

/** A full disk for the log must not stop the server. */
function openLog({ LOG_LEVEL: level }: Config): Logger {
  const out = pino.destination({ dest: 1, sync: true, maxLength: maxWaiting })
  out.on('error', () => undefined)
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  return pino({ level }, out)
}

/** Why a program could not start, for the person who started it. */
export function sentenceFor(error: unknown): string {
  if (error instanceof ConfigError || error instanceof StoreUnavailable) return error.message
  if (error instanceof VaultError) {
    return "ENCRYPTION_KEY: it can't decrypt the tokens of the connected accounts. Put the earlier key into ENCRYPTION_KEYS_OLD, or restore the secrets folder of DATA_DIR from a backup."
  }
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    return `Port ${process.env['PORT'] ?? 3000} is in use by another program. Stop it, or choose another: PORT=3001 npm start`
  }
  if (
    error instanceof Error &&
    'code' in error &&
    ['ENOTFOUND', 'EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL'].includes(String(error.code))
  ) {
    return `HOST: this machine has no address ${process.env['HOST'] ?? '127.0.0.1'}`
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** Waits for stores that are down at the start, as a running process would: restarting it instead gains nothing. */
import type { Logger } from 'pino'
import { StoreUnavailable } from '../../domain/event-store/port.ts'
import { pause } from '../../projections/core/pause.ts'
import { withCleanup, type CleanupStack } from './cleanup-stack.ts'

/** The store answers, but its data is not ours: waiting won't help. */
export class WrongStore extends StoreUnavailable {}

interface Waiting {
  readonly log: Logger
  /** Cancels the waiting. */
  readonly signal: AbortSignal
  /** Called with the reason for waiting. */
  readonly onAway: (sentence: string) => void
  readonly firstPauseMs?: number
  readonly longestPauseMs?: number
}

/**
 * Retries the start while a store is down, after cleaning up the previous try. @throws any other error; the signal's
 * reason when it aborts
 */
export async function startWhenStoresAnswer<T>(
  begin: (cleanup: CleanupStack) => Promise<T>,
  { log, signal, onAway, firstPauseMs = 250, longestPauseMs = 5_000 }: Waiting,
): Promise<T & { close(): Promise<void> }> {
  let result: string | null = null
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    signal.throwIfAborted()
    try {
      return await withCleanup(begin)
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof StoreUnavailable) || error instanceof WrongStore) throw error
      if (result !== error.message)
        log.warn({ reason: error.message }, 'A store is unavailable; starting once it is reachable')
      result = error.message
      onAway(error.message)
      await pause(pauseMs, signal)
    }
  }
}

/** A process that finds a store away at its start waits for it, as it would later: what restarts it in the meantime gains nothing. */
import type { Logger } from 'pino'
import { StoreUnavailable } from '../../domain/event-store/port.ts'
import { pause } from '../../projections/core/pause.ts'
import { withCleanup, type CleanupStack } from './cleanup-stack.ts'

/** A store is there, but what it has is not of ours: waiting helps nobody. */
export class WrongStore extends StoreUnavailable {}

interface Waiting {
  readonly log: Logger
  /** Ends the waiting. */
  readonly signal: AbortSignal
  /** Hears what it waits for. */
  readonly onAway: (sentence: string) => void
  readonly firstPauseMs?: number
  readonly longestPauseMs?: number
}

/**
 * Begins again and again while a store is away, each time with nothing left of the try before.
 * @throws what isn't a store that is away; the signal's reason when it aborts
 */
export async function startWhenStoresAnswer<T>(
  begin: (cleanup: CleanupStack) => Promise<T>,
  { log, signal, onAway, firstPauseMs = 250, longestPauseMs = 5_000 }: Waiting,
): Promise<T & { close(): Promise<void> }> {
  let told: string | null = null
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    signal.throwIfAborted()
    try {
      return await withCleanup(begin)
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof StoreUnavailable) || error instanceof WrongStore) throw error
      if (told !== error.message)
        log.warn({ reason: error.message }, 'a store is away; this process begins when it is there')
      told = error.message
      onAway(error.message)
      await pause(pauseMs, signal)
    }
  }
}

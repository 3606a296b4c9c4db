/**
 * Logs a store's outage in one line, however many views meet it; an error of a view itself is logged with its stack.
 */
import type { Logger } from 'pino'
import { StoreUnavailable } from '../../domain/event-store/port.ts'

/** Errors within this time belong to the same outage: the longest pause between two retries is shorter. */
const sameWithinMs = 15_000

/** @param elapsed monotonic milliseconds */
export function reportOutages(
  log: Logger,
  sentence: string,
  elapsed: () => number = () => performance.now(),
): (view: string, error: unknown) => void {
  const met = new Map<string, number>()
  return (view, error) => {
    if (!(error instanceof StoreUnavailable)) return log.error({ err: error, view }, sentence)
    const last = met.get(error.message)
    met.set(error.message, elapsed())
    if (last === undefined || elapsed() - last > sameWithinMs)
      log.warn({ reason: error.message, view }, `${sentence} (other views may be affected too and are not logged)`)
  }
}

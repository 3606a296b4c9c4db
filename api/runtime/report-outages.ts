/** A store that is away is told in one line, however many views meet it; what is wrong with a view itself is told with its story. */
import type { Logger } from 'pino'
import { StoreUnavailable } from '../../domain/event-store/port.ts'

/** As long as it is met again within this time it is the same outage: the longest pause between two tries is shorter. */
const sameWithinMs = 15_000

/** @param elapsed milliseconds on this machine, never set back */
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
      log.warn({ reason: error.message, view }, `${sentence}; so may others, which are not told one by one`)
  }
}

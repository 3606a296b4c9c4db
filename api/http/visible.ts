/** The wait of an answer until the views have what its request appended. */
import type { AppendedEvent } from '../core/command-handler.ts'
import type { WaitFor } from '../core/read-your-writes.ts'

const longestWaitMs = 2_000

/**
 * One time for all waits of a request, however often its handler asks. After the first wait that ends in vain, the
 * views are not waited for again: they would keep the answer of a request with many posts for a minute.
 */
export function visibleWithin(waitFor: WaitFor, maxMs = longestWaitMs) {
  let leftMs = maxMs
  let isLate = false
  return async (appendedEvents: readonly AppendedEvent[]): Promise<boolean> => {
    if (isLate) return false
    if (appendedEvents.length === 0) return true
    const since = performance.now()
    isLate = !(await waitFor(appendedEvents, leftMs))
    leftMs = Math.max(0, leftMs - (performance.now() - since))
    return !isLate
  }
}

/** Polls a store, so that readiness checks know whether it answers. */
import { setTimeout } from 'node:timers/promises'

export interface StoreHealth {
  /** A sentence while the last poll failed. */
  notReady(): readonly string[]
  stop(): void
}

const lookEveryMs = 5_000
const answerWithinMs = 3_000

/** @param ask a small request that fails while the store is down */
export function watchStore(
  name: string,
  ask: () => Promise<unknown>,
  { everyMs = lookEveryMs, withinMs = answerWithinMs } = {},
): StoreHealth {
  let isAway = false
  let isLooking = false
  const look = async () => {
    if (isLooking) return
    isLooking = true
    const late = setTimeout(withinMs, 'late' as const, { ref: false })
    isAway = await Promise.race([
      ask().then(
        () => false,
        () => true,
      ),
      late.then(() => true),
    ])
    isLooking = false
  }
  void look()
  const timer = setInterval(() => void look(), everyMs)
  timer.unref()
  return {
    notReady: () => (isAway ? [`${name} does not answer`] : []),
    stop: () => clearInterval(timer),
  }
}

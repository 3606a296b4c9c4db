/** Whether a store answers, looked at again and again: for whoever asks if a process can do its work. */
import { setTimeout } from 'node:timers/promises'

export interface StoreHealth {
  /** A sentence while the last look failed. */
  notReady(): readonly string[]
  stop(): void
}

const lookEveryMs = 5_000
const answerWithinMs = 3_000

/** @param ask something small that fails when the store is away */
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

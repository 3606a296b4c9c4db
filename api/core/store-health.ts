/** Polls a store, so that readiness checks know whether it answers. */
import { setTimeout } from 'node:timers/promises'
import type { Logger } from 'pino'
import { SettingRefused } from '../../domain/event-store/port.ts'

export interface StoreHealth {
  /** A sentence while the last poll failed. */
  notReady(): readonly string[]
  stop(): void
}

const lookEveryMs = 5_000
const answerWithinMs = 3_000

/**
 * A setting that the store refuses is told in the store's words, and logged once.
 * @param ask a small request that fails while the store is down
 */
export function watchStore(
  name: string,
  ask: () => Promise<unknown>,
  log: Logger,
  { everyMs = lookEveryMs, withinMs = answerWithinMs } = {},
): StoreHealth {
  let away: string | null = null
  let isLooking = false
  const look = async () => {
    if (isLooking) return
    isLooking = true
    const silent = `${name} does not answer`
    const late = setTimeout(withinMs, silent, { ref: false })
    const found = await Promise.race([
      ask().then(
        () => null,
        (error: unknown) => (error instanceof SettingRefused ? error.message : silent),
      ),
      late,
    ])
    if (found !== null && found !== silent && found !== away) log.error({ reason: found }, `${name} can't be used`)
    away = found
    isLooking = false
  }
  void look()
  const timer = setInterval(() => void look(), everyMs)
  timer.unref()
  return {
    notReady: () => (away === null ? [] : [away]),
    stop: () => clearInterval(timer),
  }
}

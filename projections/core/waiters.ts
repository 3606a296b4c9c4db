/** Callers that wait until a view contains an event. The runner wakes them: no polling. */
import type { Position } from '../../domain/core/event.ts'

export interface Awaited {
  readonly stream: string
  readonly revision: number
  /** The event's own position, or that of a later event of the same append. */
  readonly position: Position
}

interface Waiter {
  readonly event: Awaited
  readonly done: (reached: boolean) => void
}

export class Waiters {
  readonly #waiting = new Set<Waiter>()

  /** True once `wake` finds the event; false on timeout or after `close`. */
  wait(event: Awaited, timeoutMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const waiter: Waiter = {
        event,
        done: (reached) => {
          clearTimeout(timer)
          this.#waiting.delete(waiter)
          resolve(reached)
        },
      }
      const timer = setTimeout(() => waiter.done(false), timeoutMs)
      this.#waiting.add(waiter)
    })
  }

  /** Resolves the waits whose event is there by now. */
  wake(isThere: (event: Awaited) => boolean): void {
    for (const waiter of this.#waiting) if (isThere(waiter.event)) waiter.done(true)
  }

  /** Ends all waits without their event. */
  close(): void {
    for (const waiter of this.#waiting) waiter.done(false)
  }
}

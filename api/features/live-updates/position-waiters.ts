/** Requests in progress that wait until a position of the log is reached, each for a limited time. */
import type { Position } from '../../../domain/core/event.ts'

interface Waiter {
  readonly position: Position
  readonly wake: (wasReached: boolean) => void
}

export class PositionWaiters {
  readonly #waiters = new Set<Waiter>()

  /** False on timeout, and where `end` is called first. */
  waitFor(position: Position, timeoutMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => waiter.wake(false), timeoutMs)
      const waiter: Waiter = {
        position,
        wake: (wasReached) => {
          clearTimeout(timer)
          this.#waiters.delete(waiter)
          resolve(wasReached)
        },
      }
      this.#waiters.add(waiter)
    })
  }

  reached(position: Position): void {
    for (const waiter of this.#waiters) if (waiter.position <= position) waiter.wake(true)
  }

  end(): void {
    for (const waiter of this.#waiters) waiter.wake(false)
  }
}

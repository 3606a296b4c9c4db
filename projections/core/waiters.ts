/** Who waits for which event to be in a view. Woken by the runner: no polling. */
import type { Position, StoredEvent } from '../../domain/core/event.ts'

export interface Awaited {
  readonly stream: string
  readonly revision: number
  /** At or after the event's own position, never before it. */
  readonly position: Position
}

interface Waiter extends Awaited {
  readonly done: (reached: boolean) => void
}

/** How many streams' last handled revisions are remembered, for a wait that begins after the fact. */
const remembered = 4096

export class Waiters {
  readonly #waiting = new Map<string, Set<Waiter>>()
  readonly #handled = new Map<string, number>()

  wait(event: Awaited, timeoutMs: number): Promise<boolean> {
    if ((this.#handled.get(event.stream) ?? -1) >= event.revision) return Promise.resolve(true)
    return new Promise((resolve) => {
      const waiter: Waiter = {
        ...event,
        done: (reached) => {
          clearTimeout(timer)
          this.#forget(waiter)
          resolve(reached)
        },
      }
      const timer = setTimeout(() => waiter.done(false), timeoutMs)
      const others = this.#waiting.get(event.stream)
      if (others) others.add(waiter)
      else this.#waiting.set(event.stream, new Set([waiter]))
    })
  }

  handled(batch: readonly StoredEvent[]): void {
    for (const { stream, revision } of batch) {
      this.#handled.delete(stream)
      this.#handled.set(stream, revision)
      const waiting = this.#waiting.get(stream)
      if (waiting) for (const waiter of waiting) if (waiter.revision <= revision) waiter.done(true)
    }
    let excess = this.#handled.size - remembered
    for (const stream of this.#handled.keys()) {
      if (excess-- <= 0) break
      this.#handled.delete(stream)
    }
  }

  /** The view has everything up to a position. */
  reached(position: Position | null): void {
    if (position === null) return
    for (const waiter of this.#all()) if (waiter.position <= position) waiter.done(true)
  }

  close(): void {
    for (const waiter of this.#all()) waiter.done(false)
  }

  #all(): Waiter[] {
    return [...this.#waiting.values()].flatMap((waiters) => [...waiters])
  }

  #forget(waiter: Waiter): void {
    const waiting = this.#waiting.get(waiter.stream)
    waiting?.delete(waiter)
    if (waiting?.size === 0) this.#waiting.delete(waiter.stream)
  }
}

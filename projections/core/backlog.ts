/** What a projection has yet to take in, counted as it comes into the log: nothing is read for the counting alone when asked. */
import type { Instant, Position } from '../../domain/core/event.ts'
import type { EventFilter, EventStore } from '../../domain/event-store/port.ts'
import { pause } from './pause.ts'
import { isAfter } from './projection.ts'

export interface Backlog {
  /** Exact up to 200; beyond that at most a hundredth too many. */
  readonly events: number
  /** When the oldest of them happened; null when there is none. */
  readonly since: Instant | null
}

/** Neighbours, counted together so that a long backlog takes little memory. */
interface Portion {
  upTo: Position
  events: number
  readonly since: Instant
}

const exactly = 200
const firstPauseMs = 100
const longestPauseMs = 10_000

export class BacklogWatch {
  readonly #portions: Portion[] = []
  #events = 0

  /** @param taken the position that the projection has come to */
  constructor(private readonly taken: () => Position | null) {}

  get backlog(): Backlog {
    this.#forget()
    return { events: this.#events, since: this.#portions[0]?.since ?? null }
  }

  /** Looks on until the signal aborts, also while the projection itself stands still. */
  async follow(events: EventStore, filter: EventFilter, signal: AbortSignal): Promise<void> {
    let seen = this.taken()
    let pauseMs = firstPauseMs
    while (!signal.aborted) {
      try {
        for await (const batch of events.subscribe(seen, filter, signal)) {
          for (const { position, metadata } of batch) this.#add(position, metadata.at)
          seen = batch.at(-1)?.position ?? seen
          pauseMs = firstPauseMs
          this.#forget()
        }
      } catch {
        // The runner meets the same and tells it.
      }
      await pause(pauseMs, signal)
      pauseMs = Math.min(pauseMs * 2, longestPauseMs)
    }
  }

  #add(position: Position, since: Instant): void {
    const last = this.#portions.at(-1)
    this.#events += 1
    if (last && last.events < (this.#events - exactly) / 100) {
      last.upTo = position
      last.events += 1
    } else {
      this.#portions.push({ upTo: position, events: 1, since })
    }
  }

  #forget(): void {
    const taken = this.taken()
    if (taken === null) return
    const kept = this.#portions.findIndex(({ upTo }) => isAfter(upTo, taken))
    for (const { events } of this.#portions.splice(0, kept < 0 ? this.#portions.length : kept)) this.#events -= events
  }
}

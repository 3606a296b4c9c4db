/** Counts a projection's unhandled events as they are appended: asking for the count reads nothing. */
import type { Instant, Position } from '../../domain/core/event.ts'
import type { EventFilter, EventStore } from '../../domain/event-store/port.ts'
import { pause } from './pause.ts'
import { isAfter } from './projection.ts'

export interface Backlog {
  /** Exact up to 200; beyond that up to one percent too high. */
  readonly events: number
  /** The time of the oldest of them; null when there is none. */
  readonly since: Instant | null
}

/** Adjacent events counted together, so that a long backlog takes little memory. */
interface Batch {
  upTo: Position
  events: number
  readonly since: Instant
}

const exactly = 200
const firstPauseMs = 100
const longestPauseMs = 10_000

export class BacklogWatch {
  readonly #batches: Batch[] = []
  #events = 0

  /** @param taken the projection's current position */
  constructor(private readonly taken: () => Position | null) {}

  get backlog(): Backlog {
    this.#forget()
    return { events: this.#events, since: this.#batches[0]?.since ?? null }
  }

  /** Follows the log until the signal aborts, even while the projection itself is blocked. */
  async follow(events: EventStore, filter: EventFilter, signal: AbortSignal): Promise<void> {
    let seen = this.taken()
    let pauseMs = firstPauseMs
    while (!signal.aborted) {
      try {
        const onPassed = (position: Position) => void (seen = position)
        for await (const batch of events.subscribe(seen, filter, signal, onPassed)) {
          for (const { position, metadata } of batch) this.#add(position, metadata.at)
          seen = batch.at(-1)?.position ?? seen
          pauseMs = firstPauseMs
          this.#forget()
        }
      } catch {
        // The runner gets the same error and reports it.
      }
      await pause(pauseMs, signal)
      pauseMs = Math.min(pauseMs * 2, longestPauseMs)
    }
  }

  #add(position: Position, since: Instant): void {
    const last = this.#batches.at(-1)
    this.#events += 1
    if (last && last.events < (this.#events - exactly) / 100) {
      last.upTo = position
      last.events += 1
    } else {
      this.#batches.push({ upTo: position, events: 1, since })
    }
  }

  #forget(): void {
    const taken = this.taken()
    if (taken === null) return
    const kept = this.#batches.findIndex(({ upTo }) => isAfter(upTo, taken))
    for (const { events } of this.#batches.splice(0, kept < 0 ? this.#batches.length : kept)) this.#events -= events
  }
}

import type { Instant } from '../../domain/core/event.ts'

/** Injected by the composition root, so that tests can move it. */
export interface Clock {
  now(): Instant
}

export const systemClock: Clock = { now: () => new Date().toISOString() }

/** An instant plus milliseconds. */
export const later = (at: Instant, ms: number): Instant => new Date(Date.parse(at) + ms).toISOString()

/** The clocks of several processes differ by less. */
export const clockDifferenceMs = 5 * 60_000

/** Whether an instant was noted by a clock that ran ahead. */
export const isOfFuture = (at: Instant, now: Instant): boolean => at > later(now, clockDifferenceMs)

/** Starts at real time or at `start`; `advance` moves it. */
export class MovableClock implements Clock {
  #offset: number
  constructor(start?: string) {
    this.#offset = start === undefined ? 0 : Date.parse(start) - Date.now()
  }
  now(): string {
    return new Date(Date.now() + this.#offset).toISOString()
  }
  advance(ms: number): void {
    this.#offset += ms
  }
}

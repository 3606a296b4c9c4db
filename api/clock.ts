import type { Instant } from '../domain/core/event.ts'

/** Injected by the composition root, so that tests can move it. */
export interface Clock {
  now(): Instant
}

export const systemClock: Clock = { now: () => new Date().toISOString() }

/** Milliseconds added to an instant. */
export const later = (at: Instant, ms: number): Instant => new Date(Date.parse(at) + ms).toISOString()

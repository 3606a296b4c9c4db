/**
 * Counts attempts in memory. An attacker can neither grow the memory without bound nor prolong a wait through the wall
 * clock.
 */
import { Problem } from './problem.ts'

interface Limit {
  readonly points: number
  readonly seconds: number
  readonly maxKeys?: number
}

/** About ten megabytes. */
const maxKeys = 50_000

/** Capped, so that a key with a high count is not passed over that often. */
const maxRounds = 16

interface Window {
  count: number
  /** By the limiter's clock. */
  readonly endsAt: number
  /** How often the key is still passed over before it is forgotten. */
  rounds: number
}

/** Milliseconds from any origin; never steps back, nor forward with the wall clock. */
export type MonotonicClock = () => number

/**
 * Fixed windows, each starting with the first attempt. Custom, because no well-maintained library has all three: a
 * monotonic clock, a bound on the number of keys, and points that can be given back. `rate-limiter-flexible` 11.4 and
 * `express-rate-limit` 8.7 read the wall clock, by which a step back of a day makes every wait a day longer; `limiter`
 * 4.1 reads a monotonic one and counts for a single key.
 */
export class Limiter {
  /** In the order of eviction. */
  readonly #windows = new Map<string, Window>()
  readonly #points: number
  readonly #windowMs: number
  readonly #maxKeys: number

  constructor(
    { points, seconds, maxKeys: most = maxKeys }: Limit,
    private readonly now: MonotonicClock = () => performance.now(),
  ) {
    this.#points = points
    this.#windowMs = seconds * 1000
    this.#maxKeys = most
  }

  get size(): number {
    return this.#windows.size
  }

  /** Counts one attempt, or several points. Returns the wait in milliseconds if that exceeds the limit, else 0. */
  async waitFor(key: string, points = 1): Promise<number> {
    const now = this.now()
    const window = this.#open(key, now) ?? { count: 0, endsAt: now + this.#windowMs, rounds: 0 }
    window.count += points
    window.rounds = Math.min(window.count, maxRounds)
    this.#windows.delete(key)
    this.#windows.set(key, window)
    this.#makeRoom(now)
    return window.count > this.#points ? Math.max(1, window.endsAt - now) : 0
  }

  /** @throws Problem 429 with Retry-After */
  async take(key: string): Promise<void> {
    const wait = await this.waitFor(key)
    if (wait > 0) throw tooMany(wait)
  }

  /** Takes back one counted attempt, or several points. */
  async giveBack(key: string, points = 1): Promise<void> {
    const window = this.#open(key, this.now())
    if (window) window.count -= points
  }

  async forget(key: string): Promise<void> {
    this.#windows.delete(key)
  }

  #open(key: string, now: number): Window | null {
    const window = this.#windows.get(key)
    return window && window.endsAt > now ? window : null
  }

  /**
   * A key is passed over once for each point it has, so keys with few points are evicted first. To evict an attacked
   * key, an attacker must fill the whole table with new keys again and again. That is possible, because attempts are
   * counted before anything is hashed, but gains only a few guesses for many thousand requests.
   */
  #makeRoom(now: number): void {
    for (const [key, window] of this.#windows) {
      if (this.#windows.size <= this.#maxKeys) return
      this.#windows.delete(key)
      if (window.rounds <= 1 || window.endsAt <= now) continue
      window.rounds -= 1
      this.#windows.set(key, window)
    }
  }
}

export function tooMany(waitMs: number): Problem {
  return new Problem(429, 'too-many', `Too many attempts. Try again in ${waitSentence(waitMs)}.`, {
    'Retry-After': String(secondsOf(waitMs)),
  })
}

export function waitSentence(waitMs: number): string {
  const seconds = secondsOf(waitMs)
  const minutes = Math.ceil(seconds / 60)
  if (seconds < 60) return seconds === 1 ? 'a second' : `${seconds} seconds`
  return minutes === 1 ? 'a minute' : `${minutes} minutes`
}

const secondsOf = (waitMs: number) => Math.max(1, Math.ceil(waitMs / 1000))

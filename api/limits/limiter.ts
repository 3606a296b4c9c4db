/** Counts of attempts in memory, which an attacker can't make grow without end. */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { Problem } from '../http/problem.ts'

interface Limit {
  readonly points: number
  readonly seconds: number
  readonly mostKeys?: number
}

/** Some ten megabytes. */
const mostKeys = 50_000

/** Without end, somebody who counts a lot would have others look at each of their keys as often. */
const mostRounds = 16

export class Limiter {
  readonly #limiter: RateLimiterMemory
  /** Those to be forgotten first are first. */
  readonly #keys = new Map<string, { readonly rounds: number; readonly endsAt: number }>()
  readonly #mostKeys: number

  constructor({ points, seconds, mostKeys: most = mostKeys }: Limit) {
    this.#limiter = new RateLimiterMemory({ points, duration: seconds })
    this.#mostKeys = most
  }

  get size(): number {
    return this.#keys.size
  }

  /** Counts one more, or so many; so long to wait if that is too many, in milliseconds, else 0. */
  async waitFor(key: string, points = 1): Promise<number> {
    try {
      this.#remember(key, await this.#limiter.consume(key, points))
      return 0
    } catch (rejected) {
      if (!(rejected instanceof RateLimiterRes)) throw rejected
      this.#remember(key, rejected)
      return Math.max(1, rejected.msBeforeNext)
    }
  }

  /** @throws Problem 429 with Retry-After */
  async take(key: string): Promise<void> {
    const wait = await this.waitFor(key)
    if (wait > 0) throw tooMany(wait)
  }

  /** One that was counted was none. */
  async giveBack(key: string): Promise<void> {
    const known = this.#keys.get(key)
    if (known && known.endsAt > Date.now()) await this.#limiter.reward(key)
  }

  async forget(key: string): Promise<void> {
    this.#keys.delete(key)
    await this.#limiter.delete(key)
  }

  #remember(key: string, { consumedPoints, msBeforeNext }: RateLimiterRes): void {
    this.#keys.delete(key)
    this.#keys.set(key, { rounds: Math.min(consumedPoints, mostRounds), endsAt: Date.now() + msBeforeNext })
    this.#makeRoom()
  }

  /**
   * A key is passed over once for each that it was counted, so those with few go first. Whoever makes up keys to have one
   * forgotten therefore needs as many as there is room for, again and again. It can be done, as attempts are counted before
   * anything is hashed: a few guesses more for so many thousand.
   */
  #makeRoom(): void {
    const now = Date.now()
    for (const [key, { rounds, endsAt }] of this.#keys) {
      if (this.#keys.size <= this.#mostKeys) return
      this.#keys.delete(key)
      if (rounds > 1 && endsAt > now) this.#keys.set(key, { rounds: rounds - 1, endsAt })
      else void this.#limiter.delete(key)
    }
  }
}

export function tooMany(waitMs: number): Problem {
  return new Problem(429, 'too-many', `Too many attempts. Try again in ${waitSentence(waitMs)}.`, { 'Retry-After': String(secondsOf(waitMs)) })
}

export function waitSentence(waitMs: number): string {
  const seconds = secondsOf(waitMs)
  const minutes = Math.ceil(seconds / 60)
  if (seconds < 60) return seconds === 1 ? 'a second' : `${seconds} seconds`
  return minutes === 1 ? 'a minute' : `${minutes} minutes`
}

const secondsOf = (waitMs: number) => Math.max(1, Math.ceil(waitMs / 1000))

/** Counts of attempts in memory, which an attacker can't make grow without end. */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { Problem } from '../http/problem.ts'

interface Limit {
  readonly points: number
  readonly seconds: number
  readonly mostKeys?: number
}

/**
 * Some ten megabytes. To make it forget a key, somebody needs as many others within its time, each let through by the
 * limits of addresses that come before: more than passwords can be hashed in that time on a machine of ordinary size.
 */
const mostKeys = 50_000

export class Limiter {
  readonly #limiter: RateLimiterMemory
  /** In the order in which they were last seen. Those that ran out are among them until they are the oldest. */
  readonly #keys = new Set<string>()
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
    this.#remember(key)
    try {
      await this.#limiter.consume(key, points)
      return 0
    } catch (rejected) {
      if (rejected instanceof RateLimiterRes) return Math.max(1, rejected.msBeforeNext)
      throw rejected
    }
  }

  /** @throws Problem 429 with Retry-After */
  async take(key: string): Promise<void> {
    const wait = await this.waitFor(key)
    if (wait > 0) throw tooMany(wait)
  }

  /** One that was counted was none. */
  async giveBack(key: string): Promise<void> {
    await this.#limiter.reward(key)
  }

  async forget(key: string): Promise<void> {
    this.#keys.delete(key)
    await this.#limiter.delete(key)
  }

  #remember(key: string): void {
    this.#keys.delete(key)
    this.#keys.add(key)
    const [oldest] = this.#keys
    if (this.#keys.size > this.#mostKeys && oldest !== undefined) void this.forget(oldest)
  }
}

/** Counts one more of a key. @throws Problem 429 with Retry-After */
export async function take(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key)
  } catch (rejected) {
    if (rejected instanceof RateLimiterRes) throw tooMany(rejected.msBeforeNext)
    throw rejected
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

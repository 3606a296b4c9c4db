/** Slows down guessing: by account and address together, so that a stranger can't lock the owner out. */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { Problem } from '../http/problem.ts'

export interface Limits {
  /** Failed sign-ins of one account from one address, in 15 minutes. */
  readonly failures: number
  /** Sign-ins from one address, in 15 minutes. */
  readonly perAddress: number
  /** New accounts from one address, in an hour. */
  readonly registrations: number
}

export const defaultLimits: Limits = { failures: 10, perAddress: 300, registrations: 100 }

const quarterHour = 15 * 60

export class SignInThrottle {
  readonly #failures: RateLimiterMemory
  readonly #addresses: RateLimiterMemory
  readonly #registrations: RateLimiterMemory

  constructor({ failures, perAddress, registrations }: Limits = defaultLimits) {
    this.#failures = new RateLimiterMemory({ points: failures, duration: quarterHour })
    this.#addresses = new RateLimiterMemory({ points: perAddress, duration: quarterHour })
    this.#registrations = new RateLimiterMemory({ points: registrations, duration: 3600 })
  }

  /** Counts an attempt before any password is checked. @throws Problem 429 with Retry-After */
  async begin(address: string, email: string): Promise<{ succeeded(): Promise<void> }> {
    const key = `${address} ${email}`
    await take(this.#addresses, address)
    await take(this.#failures, key)
    return { succeeded: async () => void (await this.#failures.delete(key)) }
  }

  /** @throws Problem 429 with Retry-After */
  async registering(address: string): Promise<void> {
    await take(this.#registrations, address)
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
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  const minutes = Math.ceil(seconds / 60)
  const wait = seconds < 60 ? `${seconds} seconds` : `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`
  return new Problem(429, 'too-many', `Too many attempts. Try again in ${wait}.`, { 'Retry-After': String(seconds) })
}

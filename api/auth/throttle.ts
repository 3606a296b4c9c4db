/** Slows down guessing: by account and address together, so that a stranger can't lock the owner out. */
import type { Asker } from './hashing.ts'
import { Limiter } from './limiter.ts'
import { sourceOf } from './source.ts'

export { take, tooMany } from './limiter.ts'

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

export interface Attempt {
  readonly asker: Asker
  succeeded(): Promise<void>
}

export class SignInThrottle {
  readonly #failures: Limiter
  readonly #addresses: Limiter
  readonly #registrations: Limiter

  constructor({ failures, perAddress, registrations }: Limits = defaultLimits) {
    this.#failures = new Limiter({ points: failures, seconds: quarterHour })
    this.#addresses = new Limiter({ points: perAddress, seconds: quarterHour })
    this.#registrations = new Limiter({ points: registrations, seconds: 3600 })
  }

  /** Counts an attempt before any password is checked. @throws Problem 429 with Retry-After */
  async begin(address: string, email: string): Promise<Attempt> {
    const source = sourceOf(address)
    const key = `${source} ${email}`
    await this.#addresses.take(source)
    await this.#failures.take(key)
    return { asker: { source, isKnown: false }, succeeded: () => this.#failures.forget(key) }
  }

  /** @throws Problem 429 with Retry-After */
  async registering(address: string): Promise<Asker> {
    const source = sourceOf(address)
    await this.#registrations.take(source)
    return { source, isKnown: false }
  }
}

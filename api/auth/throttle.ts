/**
 * Slows down guessing. A stranger's attempts are counted by address, by address and account, and by account from all
 * addresses together, because an attacker may have many. Only strangers are held up by the last: a browser in which somebody
 * signed in to the account before has a count of its own, and a link by mail makes any browser one (see devices.ts).
 */
import { Problem } from '../http/problem.ts'
import type { Devices } from './devices.ts'
import type { Asker } from './hashing.ts'
import { Limiter, tooMany, waitSentence } from './limiter.ts'
import { sourceOf } from './source.ts'

export { take, tooMany } from './limiter.ts'

export interface Limits {
  /** Failed sign-ins of one account from one address, or from one known browser, in 15 minutes. */
  readonly failures: number
  /** Sign-ins of strangers from one address, in 15 minutes. A fifteenth of it in a minute, so that nobody uses it up at once. */
  readonly perAddress: number
  /** Failed sign-ins of one account by strangers, in an hour. */
  readonly perAccount: number
  /** New accounts from one address, in an hour. */
  readonly registrations: number
}

export const defaultLimits: Limits = { failures: 10, perAddress: 300, perAccount: 100, registrations: 100 }

const minute = 60
const hour = 60 * minute

export interface Attempt {
  readonly asker: Asker
  succeeded(): Promise<void>
}

export class SignInThrottle {
  readonly #known: Limiter
  readonly #failures: Limiter
  readonly #addresses: Limiter
  readonly #bursts: Limiter
  readonly #accounts: Limiter
  readonly #registrations: Limiter

  constructor(
    private readonly devices: Devices,
    limits: Partial<Limits> = {},
  ) {
    const { failures, perAddress, perAccount, registrations } = { ...defaultLimits, ...limits }
    this.#known = new Limiter({ points: failures, seconds: 15 * minute })
    this.#failures = new Limiter({ points: failures, seconds: 15 * minute })
    this.#addresses = new Limiter({ points: perAddress, seconds: 15 * minute })
    this.#bursts = new Limiter({ points: Math.ceil(perAddress / 15), seconds: minute })
    this.#accounts = new Limiter({ points: perAccount, seconds: hour })
    this.#registrations = new Limiter({ points: registrations, seconds: hour })
  }

  /** Counts an attempt before any password is checked. @param device the browser's device cookie. @throws Problem 429 with Retry-After */
  async begin(address: string, email: string, device: string | null): Promise<Attempt> {
    const known = this.devices.known(device, email)
    // One that guessed too often is a stranger again: somebody else may have got hold of it.
    const isKnown = known !== null && (await this.#known.waitFor(known)) === 0
    return isKnown ? { asker: { source: known, isKnown }, succeeded: () => this.#known.forget(known) } : this.#stranger(sourceOf(address), email)
  }

  /** @throws Problem 429 with Retry-After */
  async registering(address: string): Promise<Asker> {
    const source = sourceOf(address)
    await this.#registrations.take(source)
    return { source, isKnown: false }
  }

  /** In this order, so that who is refused by address costs nobody else anything. */
  async #stranger(source: string, email: string): Promise<Attempt> {
    const both = `${source} ${email}`
    await this.#bursts.take(source)
    await this.#addresses.take(source)
    await this.#failures.take(both)
    const wait = await this.#accounts.waitFor(email)
    if (wait > 0) throw underAttack(wait)
    return {
      asker: { source, isKnown: false },
      succeeded: async () => {
        await this.#failures.forget(both)
        await this.#accounts.giveBack(email)
      },
    }
  }
}

/** The same whether or not there is such an account. */
function underAttack(waitMs: number): Problem {
  const sentence = `Too many attempts for this e-mail. Sign in where you did before, set a new password by e-mail, or try again in ${waitSentence(waitMs)}.`
  return new Problem(429, 'too-many', sentence, tooMany(waitMs).headers)
}

/**
 * Slows down password guessing. Strangers' attempts are counted by address, by address and account, and by account over
 * all addresses, because an attacker may have many. The limit per account holds for strangers only: a browser in which
 * the account signed in before is counted separately, and a mailed link makes any browser known (see devices.ts).
 * Signed-in users are counted like everyone else: a session is free, and each attempt costs a hash.
 */
import { Problem } from '../../http/problem.ts'
import type { Devices } from './devices.ts'
import type { Asker } from './hashing.ts'
import { Limiter, tooMany, waitSentence } from '../../http/limiter.ts'
import { networkOf, sourceOf } from '../../core/source.ts'
import { changesOf, type UserRecord } from './users.ts'

export interface Limits {
  /** Failed sign-ins per account and address in 15 minutes; known browsers there have as many of their own. */
  readonly failures: number
  /**
   * Strangers' sign-ins per address in 15 minutes. At most a fifteenth of it per minute, so that no burst uses it up.
   */
  readonly perAddress: number
  /** Strangers' failed sign-ins per account in an hour. */
  readonly perAccount: number
  /** New accounts per address in an hour. */
  readonly registrations: number
}

export const defaultLimits: Limits = { failures: 10, perAddress: 300, perAccount: 100, registrations: 100 }

const minute = 60
const hour = 60 * minute

/** An IPv6 site (65,536 addresses as counted here) has this multiple of one address's limit. */
const addressesOfNetwork = 16

/** More than per address: an attacker would need this many other accounts to push an attacked one out of memory. */
const maxAccounts = 100_000

/** Known browsers of one account have this multiple of `failures` per hour: more than one address can use up. */
const addressesOfKnown = 5

/** Sign-ins per minute of each account that do not count against its address: one, and one that was mistyped. */
const firstOfAccount = 2

export interface Attempt {
  readonly asker: Asker
  succeeded(): Promise<void>
}

export class SignInThrottle {
  readonly #knownFailures: Limiter
  readonly #knownFailuresOfAccount: Limiter
  readonly #knownFirst: Limiter
  readonly #knownFirstOfAddress: Limiter
  readonly #knownBursts: Limiter
  readonly #knownBurstsOfAccount: Limiter
  readonly #failures: Limiter
  readonly #addresses: Limiter
  readonly #bursts: Limiter
  readonly #networks: Limiter
  readonly #accounts: Limiter
  readonly #registrations: Limiter

  constructor(
    private readonly devices: Devices,
    limits: Partial<Limits> = {},
  ) {
    const { failures, perAddress, perAccount, registrations } = { ...defaultLimits, ...limits }
    const burst = Math.ceil(perAddress / 15)
    this.#knownFailures = new Limiter({ points: failures, seconds: 15 * minute })
    this.#knownFailuresOfAccount = new Limiter({ points: addressesOfKnown * failures, seconds: hour })
    this.#knownFirst = new Limiter({ points: firstOfAccount, seconds: minute })
    // Bounded: an attacker with hundreds of accounts would fill the queue, also for users at other addresses.
    this.#knownFirstOfAddress = new Limiter({ points: 10 * burst, seconds: minute })
    this.#knownBursts = new Limiter({ points: 2 * burst, seconds: minute })
    this.#knownBurstsOfAccount = new Limiter({ points: Math.ceil(burst / 4), seconds: minute })
    this.#failures = new Limiter({ points: failures, seconds: 15 * minute })
    this.#addresses = new Limiter({ points: perAddress, seconds: 15 * minute })
    this.#bursts = new Limiter({ points: burst, seconds: minute })
    this.#networks = new Limiter({ points: addressesOfNetwork * perAddress, seconds: 15 * minute })
    this.#accounts = new Limiter({ points: perAccount, seconds: hour, maxKeys: maxAccounts })
    this.#registrations = new Limiter({ points: registrations, seconds: hour })
  }

  /**
   * Counts an attempt before any password is checked. @param device the browser's device cookie @throws Problem 429
   * with Retry-After
   */
  async begin(address: string, email: string, device: string | null, account: UserRecord | null): Promise<Attempt> {
    const source = sourceOf(address)
    const isKnown = this.devices.isKnown(device, account)
    return (isKnown && account !== null && (await this.#known(source, account))) || this.#stranger(source, email)
  }

  /** @throws Problem 429 with Retry-After */
  async registering(address: string): Promise<Asker> {
    const source = sourceOf(address)
    await this.#registrations.take(source)
    return { source, isKnown: false }
  }

  /**
   * Known browsers are counted per account, however many there are. The accounts of one address share its limit, but
   * each has a few sign-ins that the others cannot use up. Null after too many guesses: the browser counts as a
   * stranger again, because a thief may have it.
   */
  async #known(source: string, account: UserRecord): Promise<Attempt | null> {
    // A new password makes earlier known browsers strangers and starts a new count.
    const who = `${account.id} ${changesOf(account)}`
    const both = `${source} ${who}`
    await this.#knownBurstsOfAccount.take(both)
    if (!(await this.#isFirst(source, account))) await this.#knownBursts.take(source)
    if ((await this.#knownFailures.waitFor(both)) > 0) return null
    if ((await this.#knownFailuresOfAccount.waitFor(who)) > 0) return null
    return {
      asker: { source: account.id, isKnown: true },
      succeeded: async () => {
        await this.#knownFailures.forget(both)
        await this.#knownFailuresOfAccount.giveBack(who)
      },
    }
  }

  async #isFirst(source: string, { id }: UserRecord): Promise<boolean> {
    return (
      (await this.#knownFirst.waitFor(`${source} ${id}`)) === 0 &&
      (await this.#knownFirstOfAddress.waitFor(source)) === 0
    )
  }

  /** The order matters: an attempt refused by address must not count against the account. */
  async #stranger(source: string, email: string): Promise<Attempt> {
    const both = `${source} ${email}`
    await this.#bursts.take(source)
    await this.#addresses.take(source)
    const network = networkOf(source)
    if (network !== null) await this.#networks.take(network)
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

/** The same for existing and unknown accounts. */
function underAttack(waitMs: number): Problem {
  const sentence = `Too many attempts for this email. Sign in where you did before, set a new password by email, or try again in ${waitSentence(waitMs)}.`
  return new Problem(429, 'too-many', sentence, tooMany(waitMs).headers)
}

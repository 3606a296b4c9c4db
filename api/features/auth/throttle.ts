/**
 * Slows down guessing. A stranger's attempts are counted by address, by address and account, and by account from all
 * addresses together, because an attacker may have many. Only strangers are held up by the last: a browser in which somebody
 * signed in to the account before is counted apart from them, and a link by mail makes any browser one (see devices.ts).
 * Whoever is signed in is counted like everybody else: a session is free, and each attempt has a password hashed.
 */
import { Problem } from '../../http/problem.ts'
import type { Devices } from './devices.ts'
import type { Asker } from './hashing.ts'
import { Limiter, tooMany, waitSentence } from '../../http/limiter.ts'
import { networkOf, sourceOf } from '../../core/source.ts'
import { changesOf, type UserRecord } from './users.ts'

export interface Limits {
  /** Failed sign-ins of one account from one address, in 15 minutes; as many again from known browsers there. */
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

/** A whole site of IPv6 has 65,536 addresses as they are counted here. */
const addressesOfNetwork = 16

/** Apart from those by address, and more: to have one forgotten that is attacked takes that many others. */
const maxAccounts = 100_000

/** From known browsers, an account has so many times the failures of one address in an hour: more than one address can use up. */
const addressesOfKnown = 5

/** So many sign-ins a minute of each account pass the share of its address: one, and one that was mistyped. */
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
    private readonly sendsMail = true,
  ) {
    const { failures, perAddress, perAccount, registrations } = { ...defaultLimits, ...limits }
    const burst = Math.ceil(perAddress / 15)
    this.#knownFailures = new Limiter({ points: failures, seconds: 15 * minute })
    this.#knownFailuresOfAccount = new Limiter({ points: addressesOfKnown * failures, seconds: hour })
    this.#knownFirst = new Limiter({ points: firstOfAccount, seconds: minute })
    // With an end: whoever has made hundreds of accounts would fill the queue, of others elsewhere too.
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

  /** Counts an attempt before any password is checked. @param device the browser's device cookie. @throws Problem 429 with Retry-After */
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
   * The account is whose turn it is, however many browsers it is known in. All of an address share what it has, but each
   * begins with a few of its own, so that no others there use those up. Null: it guessed too often and is a stranger again,
   * as somebody else may have got hold of a browser.
   */
  async #known(source: string, account: UserRecord): Promise<Attempt | null> {
    // Another password: other browsers are known, and whoever guessed before isn't.
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

  /** In this order, so that who is refused by address costs nobody else anything. */
  async #stranger(source: string, email: string): Promise<Attempt> {
    const both = `${source} ${email}`
    await this.#bursts.take(source)
    await this.#addresses.take(source)
    const network = networkOf(source)
    if (network !== null) await this.#networks.take(network)
    await this.#failures.take(both)
    const wait = await this.#accounts.waitFor(email)
    if (wait > 0) throw underAttack(wait, this.sendsMail)
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
function underAttack(waitMs: number, sendsMail: boolean): Problem {
  const sentence = `Too many attempts for this e-mail. Sign in where you did before${sendsMail ? ', set a new password by e-mail,' : ''} or try again in ${waitSentence(waitMs)}.`
  return new Problem(429, 'too-many', sentence, tooMany(waitMs).headers)
}

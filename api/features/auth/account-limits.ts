/** Limits how often an account's password is checked, its mailed links are used and mail is sent about it. */
import { Limiter } from '../../http/limiter.ts'

const quarterHour = 15 * 60
const hour = 3600

export class AccountLimits {
  /** Limits signed-in users too: an intruder may be guessing at an unlocked screen. */
  readonly #own = new Limiter({ points: 10, seconds: quarterHour })
  /** Counts correct passwords too: each costs a hash, which is computed ahead of strangers' hashes. */
  readonly #ownOfAddress = new Limiter({ points: 40, seconds: 60 })
  readonly #asking = new Limiter({ points: 10, seconds: quarterHour })
  readonly #links = new Limiter({ points: 30, seconds: quarterHour })
  readonly #invitations = new Limiter({ points: 30, seconds: quarterHour })
  readonly #emailChanges = new Limiter({ points: 5, seconds: hour })
  readonly #addressLinks = new Limiter({ points: 3, seconds: hour })
  readonly #passkeys = new Limiter({ points: 60, seconds: 60 })
  readonly #signOns = new Limiter({ points: 60, seconds: 60 })
  readonly #setUps = new Limiter({ points: 30, seconds: quarterHour })
  /** One limiter per kind of mail, so that flooding an address with one kind does not block the others. */
  readonly #letters = { reset: perHour(3), change: perHour(3), device: perHour(3), invitation: perHour(5) }

  /** @throws Problem 429, as do all methods here */
  async checkingOwn(userId: string, source: string): Promise<{ succeeded(): Promise<void> }> {
    await this.#ownOfAddress.take(source)
    await this.#own.take(userId)
    return { succeeded: () => this.#own.forget(userId) }
  }

  /** Limits requests for a link, by address. */
  asking(source: string): Promise<void> {
    return this.#asking.take(source)
  }

  usingLink(source: string): Promise<void> {
    return this.#links.take(source)
  }

  /**
   * Limits uses of links that are no invitation. Those that are one don't count: people of one office share an address,
   * and a token of 256 random bits is not found by guessing beside them.
   */
  async usingInvitation(source: string): Promise<{ isOne(): Promise<void> }> {
    await this.#invitations.take(source)
    return { isOne: () => this.#invitations.giveBack(source) }
  }

  changingEmail(userId: string): Promise<void> {
    return this.#emailChanges.take(userId)
  }

  confirmingAddress(userId: string): Promise<void> {
    return this.#addressLinks.take(userId)
  }

  /** Limits sign-ins with passkeys by address: none can be guessed, but each costs a check of a signature. */
  usingPasskey(source: string): Promise<void> {
    return this.#passkeys.take(source)
  }

  /** Limits visits to the provider of single sign-on, by address: each asks the provider. */
  signingOn(source: string): Promise<void> {
    return this.#signOns.take(source)
  }

  /** Limits attempts to set up a factor: each that succeeds costs ten hashes. */
  settingUp(userId: string): Promise<void> {
    return this.#setUps.take(userId)
  }

  /**
   * Keeps strangers from flooding a mailbox. The API client is not told: the answer would reveal which accounts exist.
   */
  async mayWriteTo(email: string, about: Letters): Promise<boolean> {
    return (await this.#letters[about].waitFor(email)) === 0
  }

  /**
   * Makes room for another link once the earlier links are revoked. Until then, the newest link keeps working, because
   * no further one is mailed.
   */
  linksAreOver(email: string): Promise<void> {
    return this.#letters.reset.forget(email)
  }
}

type Letters = 'reset' | 'change' | 'device' | 'invitation'

function perHour(points: number): Limiter {
  return new Limiter({ points, seconds: hour })
}

/** How often an account's password may be asked for, its links used and mail sent about it. */
import { Limiter } from '../../http/limiter.ts'

const quarterHour = 15 * 60
const hour = 3600

export class AccountLimits {
  /** Signed in, and still guessing: somebody sits at another's screen. */
  readonly #own = new Limiter({ points: 10, seconds: quarterHour })
  /** Right ones too: each has a password hashed, ahead of strangers. */
  readonly #ownOfAddress = new Limiter({ points: 40, seconds: 60 })
  readonly #asking = new Limiter({ points: 10, seconds: quarterHour })
  readonly #links = new Limiter({ points: 30, seconds: quarterHour })
  readonly #emailChanges = new Limiter({ points: 5, seconds: hour })
  /** One for each kind of letter: whoever has one kind sent to somebody takes none of the others from them. */
  readonly #letters = { reset: perHour(3), confirm: perHour(3), taken: perHour(3) }

  /** @throws Problem 429, as all of these */
  async checkingOwn(userId: string, source: string): Promise<{ succeeded(): Promise<void> }> {
    await this.#ownOfAddress.take(source)
    await this.#own.take(userId)
    return { succeeded: () => this.#own.forget(userId) }
  }

  /** For a link, from an address. */
  asking(source: string): Promise<void> {
    return this.#asking.take(source)
  }

  usingLink(source: string): Promise<void> {
    return this.#links.take(source)
  }

  changingEmail(userId: string): Promise<void> {
    return this.#emailChanges.take(userId)
  }

  /** Nobody's letter box is to be filled by somebody else. Whoever asked isn't told, because that would tell who has an account. */
  async mayWriteTo(email: string, about: Letters): Promise<boolean> {
    return (await this.#letters[about].waitFor(email)) === 0
  }

  /**
   * The links that were mailed are over, so there must be room for another. As long as they aren't, the newest of them works
   * for at least as long as no more are sent, whoever had asked for it.
   */
  linksAreOver(email: string): Promise<void> {
    return this.#letters.reset.forget(email)
  }
}

type Letters = 'reset' | 'confirm' | 'taken'

function perHour(points: number): Limiter {
  return new Limiter({ points, seconds: hour })
}

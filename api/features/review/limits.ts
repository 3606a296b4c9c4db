/** Limits how often review links are tried, by the address of the browser and by link. */
import { Limiter } from '../../http/limiter.ts'

const hour = 3600

export class ReviewLimits {
  readonly #unknown = new Limiter({ points: 30, seconds: hour / 4 })
  readonly #ofLink = new Limiter({ points: 240, seconds: 60 })
  readonly #tries = new Limiter({ points: 10, seconds: hour })
  readonly #codes = new Limiter({ points: 5, seconds: hour })

  /**
   * Unknown tokens, by address. Known ones don't count here but by link, because the people of one office share an
   * address. @throws Problem 429, as do all methods here
   */
  unknown(source: string): Promise<void> {
    return this.#unknown.take(source)
  }

  /** Requests with a known token, by link. */
  known(linkId: string): Promise<void> {
    return this.#ofLink.take(linkId)
  }

  /** A passcode or code; right ones are given back. */
  async trying(linkId: string): Promise<{ isRight(): Promise<void> }> {
    await this.#tries.take(linkId)
    return { isRight: () => this.#tries.giveBack(linkId) }
  }

  /** A code to mail, by token. */
  mailing(tokenId: string): Promise<void> {
    return this.#codes.take(tokenId)
  }
}

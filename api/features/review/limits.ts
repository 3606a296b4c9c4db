/** Limits how often review links are tried, by the address of the browser and by link. */
import { retryAfter, waitInWords } from '../../core/wait-in-words.ts'
import { Limiter } from '../../http/limiter.ts'
import { Problem } from '../../http/problem.ts'

const hour = 3600

/** To the contacts of one agency: those with a link and those with a code. */
export const maxLettersAnHour = 100

/** Of one agency: each leaves records that stay after its end. */
export const maxLinksAnHour = 120

export class ReviewLimits {
  readonly #unknown = new Limiter({ points: 30, seconds: hour / 4 })
  readonly #ofLink = new Limiter({ points: 240, seconds: 60 })
  readonly #tries = new Limiter({ points: 10, seconds: hour })
  readonly #codes = new Limiter({ points: 5, seconds: hour })
  readonly #links = new Limiter({ points: maxLinksAnHour, seconds: hour })
  readonly #letters = new Limiter({ points: maxLettersAnHour, seconds: hour })

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

  /** A new link and the letters with it, by agency; those of a link that was not issued are given back. */
  async issuing(agencyId: string, letters: number): Promise<{ isNotIssued(): Promise<void> }> {
    const linkMs = await this.#links.waitFor(agencyId)
    const lettersMs = linkMs > 0 ? 0 : await this.#waitToSend(agencyId, letters)
    if (linkMs > 0 || lettersMs > 0) await this.#links.giveBack(agencyId)
    if (linkMs > 0)
      throw overLimit('too-many-links', `An agency issues at most ${maxLinksAnHour} review links an hour.`, linkMs)
    if (lettersMs > 0)
      throw tooManyLetters(`An agency mails its contacts at most ${maxLettersAnHour} letters an hour.`, lettersMs)
    return {
      isNotIssued: async () => {
        await this.#links.giveBack(agencyId)
        await this.#letters.giveBack(agencyId, letters)
      },
    }
  }

  /** A code to mail, by token and agency. */
  async mailing(tokenId: string, agencyId: string): Promise<void> {
    await this.#codes.take(tokenId)
    const waitMs = await this.#waitToSend(agencyId, 1)
    if (waitMs === 0) return
    await this.#codes.giveBack(tokenId)
    throw tooManyLetters('No code can be mailed right now.', waitMs)
  }

  /** A refused request uses nothing up: fewer letters may still go. */
  async #waitToSend(agencyId: string, letters: number): Promise<number> {
    if (letters === 0) return 0
    const waitMs = await this.#letters.waitFor(agencyId, letters)
    if (waitMs > 0) await this.#letters.giveBack(agencyId, letters)
    return waitMs
  }
}

const tooManyLetters = (sentence: string, waitMs: number) => overLimit('too-many-letters', sentence, waitMs)

const overLimit = (type: string, sentence: string, waitMs: number) =>
  new Problem(429, type, `${sentence} You can go on in ${waitInWords(waitMs)}.`, retryAfter(waitMs))

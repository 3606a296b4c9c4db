/**
 * So that nobody's program takes the server away from everybody else: each agency, and each address that nobody is signed in
 * at, has so many points a minute. Reading costs one; what changes something costs more, because it is written and shown again.
 */
import { Limiter, waitSentence } from './limiter.ts'
import { sourceOf } from '../core/source.ts'
import { Problem } from './problem.ts'

export const commandCost = 5
/** Of what an agency has: strangers read nothing, and what they can do is counted by its own routes too. */
export const strangersShare = 0.2
/** Reading and checking an image of this size takes about as long as a list. */
const bytesAPoint = 100_000
const minute = 60

export class RequestLimits {
  readonly #agencies: Limiter
  readonly #strangers: Limiter
  readonly #files: Limiter

  /** @param perMinute the points of an agency */
  constructor(perMinute: number) {
    this.#agencies = new Limiter({ points: perMinute, seconds: minute })
    this.#strangers = new Limiter({ points: Math.ceil(perMinute * strangersShare), seconds: minute })
    this.#files = new Limiter({ points: perMinute, seconds: minute })
  }

  /** @param who the person who is signed in, which is one agency. @throws Problem 429 with Retry-After */
  async count(who: string | null, address: string, changes: boolean): Promise<void> {
    const points = changes ? commandCost : 1
    const wait = await (who === null
      ? this.#strangers.waitFor(sourceOf(address), points)
      : this.#agencies.waitFor(who, points))
    if (wait > 0) throw tooBusy(wait)
  }

  /** What anybody may fetch, by how much it is. @param bytes of the answer. @throws Problem 429 with Retry-After */
  async countFile(address: string, bytes: number): Promise<void> {
    const wait = await this.#files.waitFor(sourceOf(address), 1 + Math.floor(bytes / bytesAPoint))
    if (wait > 0) throw tooBusy(wait)
  }
}

const tooBusy = (waitMs: number) =>
  new Problem(429, 'too-many', `That is more than this server takes at once. Try again in ${waitSentence(waitMs)}.`, {
    'Retry-After': String(Math.max(1, Math.ceil(waitMs / 1000))),
  })

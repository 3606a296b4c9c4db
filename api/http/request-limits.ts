/**
 * Limits requests, so that no program takes the server from everyone else: each agency, and each address without a
 * session, has a number of points per minute. A read costs one, and more if it folds many posts from the log; a
 * change costs more, because it is written and projected.
 */
import { Limiter, waitSentence } from './limiter.ts'
import { sourceOf } from '../core/source.ts'
import { Problem } from './problem.ts'

export const commandCost = 5
/**
 * As a share of an agency's points. Small, because clients without a session have nothing to read, and their routes
 * have limits of their own.
 */
export const strangersShare = 0.2
/** Reading and verifying an image of this size takes about as long as a list. */
const bytesAPoint = 100_000
const minute = 60

/** The most that one request may be charged for its work, as a share of an agency's points. */
const maxWorkShare = 0.1

export class RequestLimits {
  readonly #agencies: Limiter
  readonly #strangers: Limiter
  readonly #files: Limiter

  /** The most points that one request may be charged for its work: any one read can be had within a minute. */
  readonly maxWork: number

  /** @param perMinute the points of an agency */
  constructor(perMinute: number) {
    this.maxWork = Math.ceil(perMinute * maxWorkShare)
    this.#agencies = new Limiter({ points: perMinute, seconds: minute })
    this.#strangers = new Limiter({ points: Math.ceil(perMinute * strangersShare), seconds: minute })
    this.#files = new Limiter({ points: perMinute, seconds: minute })
  }

  /** @param who the signed-in user, who owns one agency @throws Problem 429 with Retry-After */
  async count(who: string | null, address: string, changes: boolean): Promise<void> {
    await this.charge(who, address, changes ? commandCost : 1)
  }

  /** Counts points. @throws Problem 429 with Retry-After */
  async charge(who: string | null, address: string, points: number): Promise<void> {
    const wait = await (who === null
      ? this.#strangers.waitFor(sourceOf(address), points)
      : this.#agencies.waitFor(who, points))
    if (wait > 0) throw tooBusy(wait)
  }

  /** Counts a public file by its size. @param bytes of the answer @throws Problem 429 with Retry-After */
  async countFile(address: string, bytes: number): Promise<void> {
    const wait = await this.#files.waitFor(sourceOf(address), 1 + Math.floor(bytes / bytesAPoint))
    if (wait > 0) throw tooBusy(wait)
  }
}

const tooBusy = (waitMs: number) =>
  new Problem(429, 'too-many', `That is more than this server takes at once. Try again in ${waitSentence(waitMs)}.`, {
    'Retry-After': String(Math.max(1, Math.ceil(waitMs / 1000))),
  })

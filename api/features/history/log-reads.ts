/**
 * Limits answers that read much of the log: a few run at a time, and agencies take turns, so that none occupies the
 * server.
 */
import { Problem } from '../../http/problem.ts'
import { Crowded, FairQueue, type Bounds } from '../../../domain/core/fair-queue.ts'

/** For one post or one page of a search: most take a few milliseconds. */
export const shortReads: Bounds = { atOnce: 6, maxWaiting: 100, maxOfSource: 20 }
/** For a page of past posts, or a month of them. One agency may use only part of the queue. */
export const longReads: Bounds = { atOnce: 2, maxWaiting: 8, maxOfSource: 2 }

export class LogReads {
  readonly #queue: FairQueue
  constructor(bounds: Bounds) {
    this.#queue = new FairQueue(bounds)
  }

  /** @throws Problem 429 with Retry-After when the queue is full */
  async run<T>(agencyId: string, work: () => Promise<T>): Promise<T> {
    try {
      return await this.#queue.run({ source: agencyId, isKnown: true }, work)
    } catch (error) {
      if (!(error instanceof Crowded)) throw error
      const sentence = error.byItself
        ? 'Your agency or its auditors already have several history requests running.'
        : 'Too many history requests are running right now.'
      throw new Problem(429, 'too-many', `${sentence} Please try again in a moment.`, { 'Retry-After': '5' })
    }
  }
}

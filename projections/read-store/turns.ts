/** Turns of searches that read many documents: one stretch at a time in this process, and their sources take turns. */
import { FairQueue } from '../../domain/core/fair-queue.ts'
import { yieldToEventLoop } from '../../domain/event-store/yield-to-event-loop.ts'
/** How long a stretch may take, in milliseconds. */
export const stretchMs = 5
export const searchBounds = { atOnce: 1, maxWaiting: 200, maxOfSource: 20 }

export class Turns {
  readonly #queue = new FairQueue(searchBounds)

  /**
   * The result of a stretch, once it is its turn and the requests that came meanwhile are served.
   * @param source one of its stretches waits for those before @throws Crowded when too many wait
   */
  take<T>(source: string, stretch: () => T): Promise<T> {
    return this.#queue.run({ source, isKnown: true }, async () => {
      await yieldToEventLoop()
      return stretch()
    })
  }
}

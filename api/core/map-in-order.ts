/** Maps several items of a list concurrently, and yields the results in the list's order. */
import { yieldToEventLoop } from '../../domain/event-store/yield-to-event-loop.ts'

/** How many streams are read at the same time for one answer. */
const atOnce = 8
/** A store in the same process answers without a turn of the event loop: other requests get one after this time. */
const turnMs = 10

/** @throws an item's error, at its place in the order */
export async function* mapInOrder<T, R>(items: AsyncIterable<T>, work: (item: T) => Promise<R>): AsyncGenerator<R> {
  const underWay: Promise<R>[] = []
  let turnSince = performance.now()
  try {
    for await (const item of items) {
      if (performance.now() - turnSince > turnMs) {
        await yieldToEventLoop()
        turnSince = performance.now()
      }
      const begun = work(item)
      // It may fail before its result is awaited.
      begun.catch(() => undefined)
      underWay.push(begun)
      if (underWay.length >= atOnce) yield await (underWay.shift() as Promise<R>)
    }
    while (underWay.length > 0) yield await (underWay.shift() as Promise<R>)
  } finally {
    await Promise.allSettled(underWay)
  }
}

/** The same of a list, as a list. */
export async function mappedInOrder<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for await (const result of mapInOrder(oneByOne(items), work)) results.push(result)
  return results
}

async function* oneByOne<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items
}

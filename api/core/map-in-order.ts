/** Maps several items of a list concurrently, and yields the results in the list's order. */

/** How many streams are read at the same time for one answer. */
const atOnce = 8

/** @throws an item's error, at its place in the order */
export async function* mapInOrder<T, R>(items: AsyncIterable<T>, work: (item: T) => Promise<R>): AsyncGenerator<R> {
  const underWay: Promise<R>[] = []
  try {
    for await (const item of items) {
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

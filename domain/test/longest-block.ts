import { stopwatch } from './fastest.ts'

/**
 * The longest block of the event loop, in milliseconds, during `run`. Stops after the first of `maxRuns` runs below
 * `enoughMs`: garbage collection may lengthen a block.
 */
export async function longestBlockMs(run: () => Promise<unknown>, enoughMs: number, maxRuns = 8): Promise<number> {
  let shortest = Infinity
  for (let runs = 0; runs < maxRuns && shortest >= enoughMs; runs++) shortest = Math.min(shortest, await blockOf(run))
  return shortest
}

async function blockOf(run: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let elapsed = stopwatch()
  const look = () => {
    longest = Math.max(longest, elapsed())
    elapsed = stopwatch()
  }
  let next = setImmediate(function again() {
    look()
    next = setImmediate(again)
  })
  await run().finally(look)
  clearImmediate(next)
  return longest
}

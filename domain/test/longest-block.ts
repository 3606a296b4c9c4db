import { slowness, stopwatch } from './fastest.ts'

/**
 * The longest block of the event loop during `run`, in milliseconds of the core that bounds are meant for. Stops after
 * the first of `maxRuns` runs below `enoughMs`: garbage collection may lengthen a block.
 */
export async function longestBlockMs(run: () => Promise<unknown>, enoughMs: number, maxRuns = 8): Promise<number> {
  let shortest = Infinity
  for (let runs = 0; runs < maxRuns && shortest >= enoughMs; runs++) {
    const ms = await blockOf(run)
    shortest = Math.min(shortest, ms < enoughMs ? ms : ms / slowness())
  }
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

/** How long work takes, in milliseconds of the core that bounds are meant for. */

/**
 * Starts a stopwatch in milliseconds. It counts the smaller of elapsed time and the processor time of this process, so
 * that the load of other processes is left out.
 */
export function stopwatch(): () => number {
  const wall = performance.now()
  const cpu = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(cpu)
    return Math.min(performance.now() - wall, (user + system) / 1000)
  }
}

const referenceText = 'Every post (number 12) has a link to example.com, a tag #one and an é. '.repeat(2_800)
/** What `reference` takes on the core that bounds are meant for. */
const referenceMs = 10

/** A search and a copy of 200,000 characters, as the measured functions make them. */
function reference(): number {
  let found = 0
  for (const [word] of referenceText.matchAll(/[\p{L}\p{N}]+/gu)) found += word.length
  return found + (JSON.parse(JSON.stringify(referenceText.split(' '))) as readonly string[]).length
}

/** How many times longer this core takes now than the one that bounds are meant for: the fastest of five references. */
export function slowness(): number {
  const times = Array.from({ length: 5 }, () => {
    const elapsed = stopwatch()
    reference()
    return elapsed()
  })
  return Math.max(1, Math.min(...times) / referenceMs)
}

/** The shortest duration of `run`. Stops after the first run below `enoughMs`. */
export function fastestMs(run: () => unknown, enoughMs: number, maxRuns = 8): number {
  let fastest = Infinity
  for (let runs = 0; runs < maxRuns && fastest >= enoughMs; runs++) {
    const elapsed = stopwatch()
    run()
    const ms = elapsed()
    fastest = Math.min(fastest, ms < enoughMs ? ms : ms / slowness())
  }
  return fastest
}

/**
 * What tests allow for a bound on a quiet core, in milliseconds: twice the bound, since other tests use the same
 * caches and memory. Work that grows with the square of a text's length takes far longer.
 */
export const besideOthersMs = (quietMs: number): number => 2 * quietMs

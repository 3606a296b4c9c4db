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

/** The shortest duration of `run`, in milliseconds. Stops after the first run below `enoughMs`. */
export function fastestMs(run: () => unknown, enoughMs: number, maxRuns = 8): number {
  let fastest = Infinity
  for (let runs = 0; runs < maxRuns && fastest >= enoughMs; runs++) {
    const elapsed = stopwatch()
    run()
    fastest = Math.min(fastest, elapsed())
  }
  return fastest
}

const referenceText = 'Every post (number 12) has a link to example.com, a tag #one and an é. '.repeat(2_800)

/** A search and a copy of 200,000 characters, as the measured functions make them. */
function reference(): number {
  let found = 0
  for (const [word] of referenceText.matchAll(/[\p{L}\p{N}]+/gu)) found += word.length
  return found + (JSON.parse(JSON.stringify(referenceText.split(' '))) as readonly string[]).length
}

/** What `reference` takes on the core that bounds are meant for. */
const referenceMs = 10
/** How many times longer this core takes: measured once, 1 at least. */
let slowness: number | undefined

/** A duration on the core that bounds are meant for, in milliseconds, as long as this core takes for the same. */
export function onThisCoreMs(ms: number): number {
  slowness ??= Math.max(1, fastestMs(reference, referenceMs, 16) / referenceMs)
  return ms * slowness
}

/**
 * What tests allow for a bound on a quiet core, in milliseconds: twice the bound, since other tests use the same
 * caches and memory. Work that grows with the square of a text's length takes far longer.
 */
export const besideOthersMs = (quietMs: number): number => onThisCoreMs(2 * quietMs)

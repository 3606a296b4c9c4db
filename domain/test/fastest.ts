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

/**
 * What tests allow for a bound on a quiet core, in milliseconds: twice the bound, since other tests use the same
 * caches and memory. Work that grows with the square of a text's length takes far longer.
 */
export const besideOthersMs = (quietMs: number): number => 2 * quietMs

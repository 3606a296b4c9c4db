/**
 * Starts a stopwatch. It counts the time in which this process ran, in milliseconds: neither more than has gone by, nor
 * more than the processor's time that the process used, so that what else the machine does is left out.
 */
export function stopwatch(): () => number {
  const wall = performance.now()
  const cpu = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(cpu)
    return Math.min(performance.now() - wall, (user + system) / 1000)
  }
}

/** The shortest time that `run` took, in milliseconds. Ends with the first run that takes less than `enoughMs`. */
export function fastestMs(run: () => unknown, enoughMs: number, maxRuns = 8): number {
  let fastest = Infinity
  for (let runs = 0; runs < maxRuns && fastest >= enoughMs; runs++) {
    const elapsed = stopwatch()
    run()
    fastest = Math.min(fastest, elapsed())
  }
  return fastest
}

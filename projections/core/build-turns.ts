/**
 * Lets the projections of a process build their collections one after the other. Where the store blocks the process,
 * builds side by side add up to longer pauses, and take longer, because each one's pages push out the others'.
 */
export class BuildTurns {
  #last: Promise<void> = Promise.resolve()

  /** Runs the work after all earlier work, whether that failed or not. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const running = this.#last.then(work)
    this.#last = running.then(nothing, nothing)
    return running
  }
}

function nothing(): void {}

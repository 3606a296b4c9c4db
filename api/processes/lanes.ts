/** Runs jobs in lanes: one at a time within a lane, several lanes concurrently up to a limit. */

/** A job returns false to end its lane early. */
export type Job = () => Promise<boolean>

export class Lanes {
  readonly #busy = new Map<string, Promise<void>>()
  readonly #waiting: (() => void)[] = []
  #free: number

  /** @param width the number of concurrent jobs over all lanes */
  constructor(width: number) {
    this.#free = width
  }

  /** Starts the jobs unless the lane is busy; resolves when the lane is free again. A job must not throw. */
  run(lane: string, jobs: readonly Job[]): Promise<void> {
    const before = this.#busy.get(lane)
    if (before) return before
    const running = this.#drive(jobs).finally(() => this.#busy.delete(lane))
    this.#busy.set(lane, running)
    return running
  }

  /** Resolves when every lane is empty. */
  async idle(): Promise<void> {
    while (this.#busy.size > 0) await Promise.all(this.#busy.values())
  }

  async #drive(jobs: readonly Job[]): Promise<void> {
    for (const job of jobs) {
      await this.#enter()
      try {
        if (!(await job())) return
      } finally {
        this.#leave()
      }
    }
  }

  #enter(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1
      return Promise.resolve()
    }
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  #leave(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free += 1
  }
}

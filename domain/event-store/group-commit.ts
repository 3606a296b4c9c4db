/** Writes asked for in one tick share one transaction, and so one flush to disk. */

interface Job {
  readonly run: () => void
  readonly settle: () => void
  readonly fail: (error: unknown) => void
}

/** Bounds how long one transaction keeps the process from anything else. */
const MOST_AT_ONCE = 500

export class GroupCommit {
  #queue: Job[] = []
  #scheduled = false

  constructor(
    private readonly transaction: (work: () => void) => void,
    /** Says of an error that the store, and with it the whole group, failed. */
    private readonly isFatal: (error: unknown) => boolean,
  ) {}

  /** Settles once `work`'s writes are committed, or `work` threw. `committed` runs first, in commit order. */
  add<T>(work: () => T, committed?: (result: T) => void): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let settle: () => void = () => {}
      this.#queue.push({
        run: () => {
          try {
            const result = work()
            settle = () => {
              committed?.(result)
              resolve(result)
            }
          } catch (error) {
            if (this.isFatal(error)) throw error
            settle = () => reject(error)
          }
        },
        settle: () => settle(),
        fail: reject,
      })
      this.#schedule()
    })
  }

  /** Commits everything asked for so far, now. */
  flush(): void {
    while (this.#queue.length > 0) this.#commit(this.#queue.splice(0, MOST_AT_ONCE))
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      this.#commit(this.#queue.splice(0, MOST_AT_ONCE))
      if (this.#queue.length > 0) this.#schedule()
    })
  }

  #commit(jobs: readonly Job[]): void {
    if (jobs.length === 0) return
    try {
      this.transaction(() => {
        for (const job of jobs) job.run()
      })
    } catch (error) {
      for (const job of jobs) job.fail(error)
      return
    }
    for (const job of jobs) job.settle()
  }
}

/** Writes requested in one tick share one transaction, and so one flush to disk. */

interface Job {
  readonly run: () => void
  readonly settle: () => void
  readonly fail: (error: unknown) => void
}

/** Limits how long one transaction blocks the event loop. */
const maxAtOnce = 500
/** This many writes are flushed at once. */
const MANY = 24
const LONGEST_WAIT_MS = 5

export class GroupCommit {
  #queue: Job[] = []
  #scheduled = false
  #timer: NodeJS.Timeout | null = null
  /** Several writers are active: waiting a moment for more writes costs less than a flush for each. */
  #isBusy = false

  constructor(
    private readonly transaction: (work: () => void) => void,
    /** Whether an error means that the store, and with it the whole group, failed. */
    private readonly isFatal: (error: unknown) => boolean,
  ) {}

  /** Resolves once `work`'s writes are committed; rejects if `work` threw. `committed` runs first, in commit order. */
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

  /** Commits all pending writes now. */
  flush(): void {
    while (this.#queue.length > 0) this.#commit(this.#queue.splice(0, maxAtOnce))
  }

  #schedule(): void {
    if (this.#timer !== null && this.#queue.length >= MANY) {
      clearTimeout(this.#timer)
      this.#timer = null
      setImmediate(() => this.#next())
    }
    if (this.#scheduled) return
    this.#scheduled = true
    if (this.#isBusy) this.#timer = setTimeout(() => this.#next(), LONGEST_WAIT_MS)
    else setImmediate(() => this.#next())
  }

  #next(): void {
    this.#scheduled = false
    this.#timer = null
    const group = this.#queue.splice(0, maxAtOnce)
    this.#isBusy = group.length > 1
    this.#commit(group)
    if (this.#queue.length > 0) this.#schedule()
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

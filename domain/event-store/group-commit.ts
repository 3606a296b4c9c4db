/** Writes asked for in one tick share one transaction, and so one flush to disk. */

interface Job {
  readonly run: () => void
  readonly settle: () => void
  readonly fail: (error: unknown) => void
}

/** Bounds how long one transaction keeps the process from anything else. */
const maxAtOnce = 500
/** So many are worth a flush at once. */
const MANY = 24
const LONGEST_WAIT_MS = 5

export class GroupCommit {
  #queue: Job[] = []
  #scheduled = false
  #timer: NodeJS.Timeout | null = null
  /** Several writers are at it: waiting a moment for more of them costs less than a flush for each. */
  #isBusy = false

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

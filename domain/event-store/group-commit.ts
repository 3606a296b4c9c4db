/**
 * Writes requested in one tick share one transaction, and so one flush to disk. A file with many concurrent writers may
 * also wait a moment for those of the next ticks; a lone writer waits for none.
 */

interface Job {
  readonly run: () => void
  readonly settle: () => void
  readonly fail: (error: unknown) => void
}

/** Limits a transaction that requests wait for: it takes no further write after this many, or this long. */
const maxAtOnce = 500
const maxWritingMs = 10
/** A group of this size no longer waits for more writes, except those that arrive at this moment. */
const maxAwaited = 24
/** While writes arrive in each turn of the event loop, a group grows for so long. */
const maxGrowingMs = 25

export class GroupCommit {
  #queue: Job[] = []
  #isScheduled = false
  #timer: NodeJS.Timeout | null = null
  /** When the group that is being collected commits at the latest. */
  #latest = 0
  /** The number of writes that the next group waits for: as many as the last one had; a single one waits for none. */
  #awaited = 0

  constructor(
    private readonly transaction: (work: () => void) => void,
    /** Whether an error means that the store, and with it the whole group, failed. */
    private readonly isFatal: (error: unknown) => boolean,
    /** How long a group waits at most for as many writes as the last one had. 0: commits in the next tick. */
    private readonly maxWaitMs: number,
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
    while (this.#queue.length > 0) this.#commit()
  }

  #schedule(): void {
    const isEnough = this.maxWaitMs === 0 || this.#awaited <= 1 || this.#queue.length >= this.#awaited
    if (this.#timer !== null && isEnough) {
      clearTimeout(this.#timer)
      this.#timer = null
      this.#commitWhenQuiet()
    }
    if (this.#isScheduled) return
    if (isEnough) return this.#scheduleAtOnce()
    this.#isScheduled = true
    this.#latest = performance.now() + maxGrowingMs
    this.#timer = setTimeout(() => this.#commitWhenQuiet(), this.maxWaitMs)
  }

  /**
   * Commits after two turns of the event loop in which no further write arrived: on a busy process requests arrive one
   * after the other, and each commit costs as much for one of them as for all.
   */
  #commitWhenQuiet(seen = 0, quietTurns = 0): void {
    this.#timer = null
    const { length } = this.#queue
    const quiet = length > seen ? 0 : quietTurns + 1
    if (quiet >= 2 || performance.now() >= this.#latest) this.#next()
    else setImmediate(() => this.#commitWhenQuiet(length, quiet))
  }

  #scheduleAtOnce(): void {
    this.#isScheduled = true
    setImmediate(() => this.#next())
  }

  #next(): void {
    this.#isScheduled = false
    this.#timer = null
    this.#awaited = Math.min(this.#queue.length, maxAwaited)
    this.#commit()
    if (this.#queue.length > 0) this.#scheduleAtOnce()
  }

  /** Commits the first writes of the queue, as many as fit into one transaction. */
  #commit(): void {
    if (this.#queue.length === 0) return
    const jobs: Job[] = []
    try {
      this.transaction(() => {
        const end = performance.now() + maxWritingMs
        do {
          const job = this.#queue.shift()
          if (job === undefined) break
          jobs.push(job)
          job.run()
        } while (jobs.length < maxAtOnce && performance.now() < end)
      })
    } catch (error) {
      // A transaction that could not begin fails its writes too.
      for (const job of jobs.length > 0 ? jobs : this.#queue.splice(0, maxAtOnce)) job.fail(error)
      return
    }
    for (const job of jobs) job.settle()
  }
}

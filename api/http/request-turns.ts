/**
 * Starts requests in turns, so that one source never occupies the event loop: once the requests started in one turn of
 * the loop have taken `budgetMs`, the others are queued, and each further turn starts one, rotating over the sources.
 * During a flood, a user's request waits for one request of each source, not for all of them.
 */
const budgetMs = 3
/** The limit on queued requests per source. A browser has six under way; this limits pipelining. */
const maxWaitingPerSource = 1_000

/** Starts a request. A returned promise settles when it ends. */
type Begin = () => void | Promise<unknown>

/** Memory grows only with queued and running requests. */
export class RequestTurns {
  /** Queued requests of sources below their limit, by source; the next source comes first. */
  readonly #ready = new Map<string, Begin[]>()
  /** Queued requests of sources at their limit of running requests. */
  readonly #full = new Map<string, Begin[]>()
  readonly #running = new Map<string, number>()
  #turnBeganAt = 0
  #isTurnCounted = false
  #isScheduled = false

  /**
   * @param maxRunningPerSource limits one source's running requests, so that their next steps don't all fall into one
   * turn
   * @param now monotonic milliseconds
   */
  constructor(
    private readonly maxRunningPerSource = Infinity,
    private readonly now = () => performance.now(),
  ) {}

  get waiting(): number {
    return [...this.#ready.values(), ...this.#full.values()].reduce((sum, { length }) => sum + length, 0)
  }

  /**
   * Starts the request now or in a later turn of the event loop. @returns false, without starting it, when the source's
   * queue is full
   */
  start(source: string, begin: Begin): boolean {
    const isFull = this.#isFull(source)
    if (!isFull && this.#ready.size === 0 && this.#hasTimeLeft()) {
      this.#begin(source, begin)
      return true
    }
    const lane = isFull ? this.#full : this.#ready
    const own = lane.get(source)
    if (own && own.length >= maxWaitingPerSource) return false
    if (own) own.push(begin)
    else lane.set(source, [begin])
    this.#scheduleNext()
    return true
  }

  /** Like `start`, returning the outcome. @returns null, without starting it, when the source's queue is full */
  run<T>(source: string, work: () => Promise<T>): Promise<T> | null {
    let isTaken = false
    const outcome = new Promise<T>((resolve) => {
      isTaken = this.start(source, () => {
        const working = work()
        resolve(working)
        return working
      })
    })
    return isTaken ? outcome : null
  }

  #isFull(source: string): boolean {
    return (this.#running.get(source) ?? 0) >= this.maxRunningPerSource
  }

  #hasTimeLeft(): boolean {
    const now = this.now()
    if (this.#isTurnCounted) return now - this.#turnBeganAt < budgetMs
    this.#isTurnCounted = true
    this.#turnBeganAt = now
    setImmediate(() => (this.#isTurnCounted = false))
    return true
  }

  #scheduleNext(): void {
    if (this.#isScheduled || this.#ready.size === 0) return
    this.#isScheduled = true
    // An immediate set by an immediate runs in the next turn, after pending socket events.
    setImmediate(this.#next)
  }

  readonly #next = (): void => {
    this.#isScheduled = false
    // The first one starts in any case, and its time counts.
    this.#hasTimeLeft()
    this.#startOne()
  }

  readonly #startMore = (): void => {
    if (this.#ready.size > 0 && this.#hasTimeLeft()) this.#startOne()
    else this.#scheduleNext()
  }

  #startOne(): void {
    const [source, own] = this.#ready.entries().next().value ?? []
    if (source === undefined || own === undefined) return
    const begin = own.shift()
    this.#ready.delete(source)
    if (own.length > 0) this.#ready.set(source, own)
    if (begin) this.#begin(source, begin)
    // A tick set by a microtask runs once all microtasks have: the request's own ones count towards the budget too.
    queueMicrotask(() => process.nextTick(this.#startMore))
  }

  #begin(source: string, begin: Begin): void {
    const going = begin()
    if (going === undefined) return
    this.#running.set(source, (this.#running.get(source) ?? 0) + 1)
    if (this.#isFull(source)) move(source, this.#ready, this.#full)
    const end = () => this.#end(source)
    going.then(end, end)
  }

  #end(source: string): void {
    const left = (this.#running.get(source) ?? 1) - 1
    if (left === 0) this.#running.delete(source)
    else this.#running.set(source, left)
    move(source, this.#full, this.#ready)
    this.#scheduleNext()
  }
}

/** A source is in at most one of the two maps. */
function move(source: string, from: Map<string, Begin[]>, to: Map<string, Begin[]>): void {
  const own = from.get(source)
  if (!own) return
  from.delete(source)
  to.set(source, own)
}

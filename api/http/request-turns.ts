/**
 * Starts requests in turns, so that the event loop is never taken by the requests of one source: once those that came in
 * one turn of the loop have taken `budgetMs`, the others wait, and one is started in each further turn, by source in
 * rotation. A person who asks during a flood waits for one request of each source, not for all of them.
 */
const budgetMs = 8
/** Requests of one source that may wait. A browser has six under way; this bounds pipelining. */
const maxWaitingPerSource = 1_000

/** Starts a request. A promise says that it goes on, until it settles. */
type Begin = () => void | Promise<unknown>

/** Memory follows what waits and what runs. */
export class RequestTurns {
  /** Waiting requests of the sources that may start one; the source whose turn is next comes first. */
  readonly #ready = new Map<string, Begin[]>()
  /** Waiting requests of the sources that have as many under way as they may. */
  readonly #full = new Map<string, Begin[]>()
  readonly #running = new Map<string, number>()
  #turnBeganAt = 0
  #isTurnCounted = false
  #isScheduled = false

  /** @param maxRunningPerSource of one source under way at once, so that their next steps don't all come in one turn */
  constructor(private readonly maxRunningPerSource = Infinity) {}

  get waiting(): number {
    return [...this.#ready.values(), ...this.#full.values()].reduce((sum, { length }) => sum + length, 0)
  }

  /**
   * Starts the request now or in a later turn of the event loop.
   * @returns false, without starting it, when too many requests of the source wait already
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

  /**
   * The same for work whose outcome is awaited.
   * @returns null, without starting it, when too much work of the source waits already
   */
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
    const now = performance.now()
    if (this.#isTurnCounted) return now - this.#turnBeganAt < budgetMs
    this.#isTurnCounted = true
    this.#turnBeganAt = now
    setImmediate(() => (this.#isTurnCounted = false))
    return true
  }

  #scheduleNext(): void {
    if (this.#isScheduled || this.#ready.size === 0) return
    this.#isScheduled = true
    // An immediate that is set by an immediate runs in the next turn, after the sockets were looked at.
    setImmediate(this.#next)
  }

  readonly #next = (): void => {
    this.#isScheduled = false
    const [source, own] = this.#ready.entries().next().value ?? []
    if (source === undefined || own === undefined) return
    const begin = own.shift()
    this.#ready.delete(source)
    if (own.length > 0) this.#ready.set(source, own)
    this.#scheduleNext()
    if (begin) this.#begin(source, begin)
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

/** A source is in one of the two at most. */
function move(source: string, from: Map<string, Begin[]>, to: Map<string, Begin[]>): void {
  const own = from.get(source)
  if (!own) return
  from.delete(source)
  to.set(source, own)
}

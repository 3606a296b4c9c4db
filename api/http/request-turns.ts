/**
 * Starts requests in turns, so that the event loop is never taken by the requests of one address: once those that came in
 * one turn of the loop have taken `budgetMs`, the others wait, and one is started in each further turn, by address in
 * rotation. A person who asks during a flood waits for one request of each address, not for all of them.
 */
const budgetMs = 8
/** Requests of one address that may wait. A browser has six under way; this bounds pipelining. */
const maxWaitingPerSource = 1_000

export class RequestTurns {
  /** Waiting requests by address; the address whose turn is next comes first. Memory follows what waits. */
  readonly #waiting = new Map<string, (() => void)[]>()
  #turnBeganAt = 0
  #isTurnCounted = false

  get waiting(): number {
    return [...this.#waiting.values()].reduce((sum, { length }) => sum + length, 0)
  }

  /**
   * Starts the request now or in a later turn of the event loop.
   * @returns false, without starting it, when too many requests of the source wait already
   */
  start(source: string, begin: () => void): boolean {
    if (this.#waiting.size === 0 && this.#hasTimeLeft()) {
      begin()
      return true
    }
    const own = this.#waiting.get(source)
    if (own && own.length >= maxWaitingPerSource) return false
    if (this.#waiting.size === 0) setImmediate(this.#next)
    if (own) own.push(begin)
    else this.#waiting.set(source, [begin])
    return true
  }

  #hasTimeLeft(): boolean {
    const now = performance.now()
    if (this.#isTurnCounted) return now - this.#turnBeganAt < budgetMs
    this.#isTurnCounted = true
    this.#turnBeganAt = now
    setImmediate(() => (this.#isTurnCounted = false))
    return true
  }

  /** An immediate that is set by an immediate runs in the next turn, after the sockets were looked at. */
  readonly #next = (): void => {
    const [source, own] = this.#waiting.entries().next().value ?? []
    if (source === undefined || own === undefined) return
    const begin = own.shift()
    this.#waiting.delete(source)
    if (own.length > 0) this.#waiting.set(source, own)
    if (this.#waiting.size > 0) setImmediate(this.#next)
    begin?.()
  }
}

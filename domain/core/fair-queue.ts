/**
 * Runs a few jobs at once and rotates over the sources of queued ones, so that a client's jobs queue behind its own
 * earlier ones.
 */

/** The requester of a job. */
export interface Asker {
  readonly source: string
  /** Signed in, or signed in earlier on the same device. */
  readonly isKnown: boolean
}

export interface Bounds {
  readonly atOnce: number
  /** The limit on queued strangers; as many known users may queue besides. */
  readonly maxWaiting: number
  readonly maxOfSource: number
}

/** The queue is full. */
export class Crowded extends Error {
  override readonly name = 'Crowded'
  /** @param byItself whether the requester's own jobs fill the queue, rather than those of others */
  constructor(readonly byItself: boolean) {
    super('Too many requests are waiting')
  }
}

interface Waiting {
  readonly begin: () => void
  readonly giveUp: () => void
}

export class FairQueue {
  readonly #known = new Lane()
  readonly #strangers = new Lane()
  #running = 0
  #isKnownsTurn = true

  constructor(private readonly bounds: Bounds) {}

  get waiting(): number {
    return this.#known.size + this.#strangers.size
  }

  /** @throws Crowded when the queue is full, or when the job was dropped to make room for another source */
  async run<T>(asker: Asker, work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.bounds.atOnce) await this.#turn(asker)
    else this.#running += 1
    try {
      return await work()
    } finally {
      const next = this.#next()
      if (next) next.begin()
      else this.#running -= 1
    }
  }

  #turn({ source, isKnown }: Asker): Promise<void> {
    const lane = isKnown ? this.#known : this.#strangers
    const { maxWaiting, maxOfSource } = this.bounds
    return new Promise((resolve, reject) => {
      const giveUp = () => reject(new Crowded(false))
      if (lane.of(source) >= maxOfSource) return reject(new Crowded(true))
      if (lane.size >= maxWaiting && !lane.makeRoom(lane.of(source) + 1)) return giveUp()
      lane.add(source, { begin: resolve, giveUp })
    })
  }

  /** Alternates, so that neither lane blocks the other. */
  #next(): Waiting | null {
    const lanes = this.#isKnownsTurn ? [this.#known, this.#strangers] : [this.#strangers, this.#known]
    this.#isKnownsTurn = !this.#isKnownsTurn
    return lanes[0]?.take() ?? lanes[1]?.take() ?? null
  }
}

/** The sources in rotation; each with its queued jobs in order. */
class Lane {
  readonly #sources = new Map<string, Waiting[]>()
  size = 0

  of(source: string): number {
    return this.#sources.get(source)?.length ?? 0
  }

  add(source: string, one: Waiting): void {
    const waiting = this.#sources.get(source)
    if (waiting) waiting.push(one)
    else this.#sources.set(source, [one])
    this.size += 1
  }

  take(): Waiting | null {
    for (const [source, waiting] of this.#sources) {
      const first = waiting.shift()
      this.#sources.delete(source)
      if (waiting.length > 0) this.#sources.set(source, waiting)
      if (!first) continue
      this.size -= 1
      return first
    }
    return null
  }

  /** Drops the last job of the largest source, if that has more than `wanted` jobs. */
  makeRoom(wanted: number): boolean {
    let most: Waiting[] = []
    for (const waiting of this.#sources.values()) if (waiting.length > most.length) most = waiting
    if (most.length <= wanted) return false
    most.pop()?.giveUp()
    this.size -= 1
    return true
  }
}

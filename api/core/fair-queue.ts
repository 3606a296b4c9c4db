/** Runs a few at a time. Of those that wait, every source has its turn: whoever asks a thousand times waits for itself. */

/** Who wants something done. */
export interface Asker {
  readonly source: string
  /** Signed in, or was before on the same device. */
  readonly isKnown: boolean
}

export interface Bounds {
  readonly atOnce: number
  /** Waiting strangers, and besides them as many known askers. */
  readonly maxWaiting: number
  readonly maxOfSource: number
}

/** There is no room to wait. */
export class Crowded extends Error {
  override readonly name = 'Crowded'
  /** @param byItself whether whoever asks waits for so much already, whatever others do */
  constructor(readonly byItself: boolean) {
    super('Too many wait already')
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

  /** @throws Crowded when too many wait already, or when it had to make room for another source */
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

  /** In turns, so that neither can keep the other out. */
  #next(): Waiting | null {
    const lanes = this.#isKnownsTurn ? [this.#known, this.#strangers] : [this.#strangers, this.#known]
    this.#isKnownsTurn = !this.#isKnownsTurn
    return lanes[0]?.take() ?? lanes[1]?.take() ?? null
  }
}

/** Sources in the order in which it is their turn; each with what it wants, in its order. */
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

  /** Takes the last one from whoever has the most, if that is more than `wanted`. */
  makeRoom(wanted: number): boolean {
    let most: Waiting[] = []
    for (const waiting of this.#sources.values()) if (waiting.length > most.length) most = waiting
    if (most.length <= wanted) return false
    most.pop()?.giveUp()
    this.size -= 1
    return true
  }
}

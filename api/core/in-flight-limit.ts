/** Limits what is in progress: number and bytes, per source and in total. */

export interface InFlightBounds {
  readonly maxCount: number
  readonly maxBytes: number
  readonly maxCountPerSource: number
  readonly maxBytesPerSource: number
}

export interface Reservation {
  /** Frees the reservation. A second call does nothing. */
  release(): void
}

/** The exceeded limit: the source's own or the total. */
export type Overrun = 'source' | 'total'

interface Used {
  count: number
  bytes: number
}

/** Memory grows only with reservations: a source without one is forgotten. */
export class InFlightLimit {
  readonly #sources = new Map<string, Used>()
  readonly #total: Used = { count: 0, bytes: 0 }

  constructor(readonly bounds: InFlightBounds) {}

  /** The number of reservations, and their bytes, over all sources. */
  get total(): Readonly<Used> {
    return this.#total
  }

  /**
   * Reserves capacity before the work starts. @param bytes the most that the work may take; the maximum where the size
   * is unknown @returns the reservation, or the exceeded limit
   */
  reserve(source: string, bytes: number): Reservation | Overrun {
    const { maxCount, maxBytes, maxCountPerSource, maxBytesPerSource } = this.bounds
    const own = this.#sources.get(source) ?? { count: 0, bytes: 0 }
    if (own.count + 1 > maxCountPerSource || own.bytes + bytes > maxBytesPerSource) return 'source'
    if (this.#total.count + 1 > maxCount || this.#total.bytes + bytes > maxBytes) return 'total'
    this.#sources.set(source, own)
    add(own, 1, bytes)
    add(this.#total, 1, bytes)
    let isHeld = true
    return {
      release: () => {
        if (!isHeld) return
        isHeld = false
        add(own, -1, -bytes)
        add(this.#total, -1, -bytes)
        if (own.count === 0) this.#sources.delete(source)
      },
    }
  }
}

function add(used: Used, count: number, bytes: number): void {
  used.count += count
  used.bytes += bytes
}

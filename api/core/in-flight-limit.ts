/** Bounds what is under way at once: how many, and how many bytes, for each source and in total. */

export interface InFlightBounds {
  readonly maxCount: number
  readonly maxBytes: number
  readonly maxCountPerSource: number
  readonly maxBytesPerSource: number
}

export interface Reservation {
  /** Gives the room back. A second call does nothing. */
  release(): void
}

/** Which bound refused: the source's own, or the one over all sources. */
export type Overrun = 'source' | 'total'

interface Used {
  count: number
  bytes: number
}

/** Memory follows what is under way: a source without a reservation is not remembered. */
export class InFlightLimit {
  readonly #sources = new Map<string, Used>()
  readonly #total: Used = { count: 0, bytes: 0 }

  constructor(readonly bounds: InFlightBounds) {}

  /** Reservations, and their bytes, over all sources. */
  get total(): Readonly<Used> {
    return this.#total
  }

  /**
   * Reserves room before the work starts.
   * @param bytes the most that the work may take; reserve the maximum where the size is unknown
   * @returns the reservation, or the bound that has no room for it
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

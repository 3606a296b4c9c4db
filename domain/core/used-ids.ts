/** The ids of a stream's removed things: they are never used again, however many they become. */

/** A text, its number and its entry in the index. */
const bytesOfEntry = 100
const bytesOf = (id: string) => bytesOfEntry + 2 * id.length

/**
 * An immutable list of ids. The lists of one stream share their entries: each has those up to its own length, so that
 * a fold of n removals takes n steps instead of copying all earlier ids with each event.
 */
export class UsedIds {
  static readonly none = new UsedIds(new Map(), 0, 0)
  readonly #places: Map<string, number>

  private constructor(
    places: Map<string, number>,
    readonly size: number,
    /** About the memory of all ids. */
    readonly bytesInMemory: number,
  ) {
    this.#places = places
  }

  has(id: string): boolean {
    return (this.#places.get(id) ?? this.size) < this.size
  }

  with(id: string): UsedIds {
    if (this.has(id)) return this
    // Only the longest list may grow in place, and the empty one is shared by all streams.
    const isLongest = this.size > 0 && this.#places.size === this.size
    const places = isLongest ? this.#places : new Map([...this].map((each, place) => [each, place]))
    places.set(id, this.size)
    return new UsedIds(places, places.size, this.bytesInMemory + bytesOf(id))
  }

  /** In the order of their removal. */
  *[Symbol.iterator](): IterableIterator<string> {
    for (const [id, place] of this.#places) {
      if (place >= this.size) return
      yield id
    }
  }

  toJSON(): readonly string[] {
    return [...this]
  }
}

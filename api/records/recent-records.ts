/**
 * Records that were read lately, of a file that only this process writes: every request reads the same session and
 * user. A change of a record forgets it before the change is acknowledged.
 */
export interface StoredRecord {
  /** Parsed once and frozen: callers share it. */
  readonly record: unknown
  readonly version: number
}

const maxRecords = 2_000
/** Longer records are not worth their memory: at most 4 million characters are kept. */
const maxCharacters = 2_000

export class RecentRecords {
  /** In the order in which they were read from the file. */
  readonly #records = new Map<string, StoredRecord>()

  get(table: string, id: string): StoredRecord | undefined {
    return this.#records.get(keyOf(table, id))
  }

  /** @param text the record as JSON */
  keep(table: string, id: string, text: string, version: number): StoredRecord {
    const stored = { record: JSON.parse(text), version }
    if (text.length > maxCharacters) return stored
    this.#records.set(keyOf(table, id), freezeDeep(stored))
    if (this.#records.size <= maxRecords) return stored
    const [oldest] = this.#records.keys()
    if (oldest !== undefined) this.#records.delete(oldest)
    return stored
  }

  forget(table: string, id: string): void {
    this.#records.delete(keyOf(table, id))
  }

  forgetAll(): void {
    this.#records.clear()
  }

  get size(): number {
    return this.#records.size
  }
}

function freezeDeep<T extends object>(value: T): T {
  for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) freezeDeep(inner)
  return Object.freeze(value)
}

/** A table's name has no space. */
const keyOf = (table: string, id: string) => `${table} ${id}`

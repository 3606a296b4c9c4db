/** Folded states in memory, bounded by bytes: the least recently used ones are dropped first. */

/** A value's own place in an object or list; about what V8 uses on 64 bits, without pointer compression. */
const bytesOfField = 16
const bytesOfObject = 56
/** The key, the head and the entry of a stream in the cache. */
const bytesOfEntry = 800

/** A value that counts its own bytes, because it is too large to be walked after each event. */
interface Counted {
  readonly bytesInMemory: number
}
const isCounted = (value: object): value is Counted =>
  'bytesInMemory' in value && typeof value.bytesInMemory === 'number'

/** About the bytes that a value takes, or a little more: texts count as two bytes a character. */
export function bytesOf(value: unknown): number {
  if (typeof value === 'string') return bytesOfField + 2 * value.length
  if (typeof value !== 'object' || value === null) return bytesOfField
  if (isCounted(value)) return value.bytesInMemory
  let bytes = bytesOfObject
  if (Array.isArray(value)) for (const each of value) bytes += bytesOf(each)
  // A key of a table, such as an id, is a text of its own; a field's name is shared, and counted all the same.
  else for (const [key, each] of Object.entries(value)) bytes += bytesOfField + key.length + bytesOf(each)
  return bytes
}

interface Entry<T> {
  readonly value: T
  readonly bytes: number
}

export class StateCache<T extends { readonly state: unknown }> {
  readonly #entries = new Map<string, Entry<T>>()
  #bytes = 0
  constructor(private readonly maxBytes: number) {}

  get size(): number {
    return this.#entries.size
  }
  get bytes(): number {
    return this.#bytes
  }

  get(stream: string): T | undefined {
    return this.#entries.get(stream)?.value
  }

  set(stream: string, value: T): void {
    const before = this.#entries.get(stream)
    const bytes = before && before.value.state === value.state ? before.bytes : bytesOfEntry + bytesOf(value.state)
    this.#drop(stream)
    this.#entries.set(stream, { value, bytes })
    this.#bytes += bytes
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.maxBytes) return
      this.#drop(oldest)
    }
  }

  #drop(stream: string): void {
    this.#bytes -= this.#entries.get(stream)?.bytes ?? 0
    this.#entries.delete(stream)
  }
}

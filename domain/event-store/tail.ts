/** The newest events, cached in memory so that live subscribers share one read of the file. */
import type { StoredEvent } from '../core/event.ts'

interface Kept {
  readonly position: number
  readonly name: string
  /** Characters of stored text. */
  readonly size: number
  readonly event: () => StoredEvent
}

const maxEvents = 4096
const maxCharacters = 16_000_000

export class Tail {
  #kept: Kept[] = []
  #size = 0
  #waiting = new Set<() => void>()

  /** @param reach everything after this position is kept */
  constructor(private reach: number) {}

  /** Appends one committed event; `parse` runs at most once, on first use. */
  push(position: number, name: string, size: number, parse: () => StoredEvent): void {
    let parsed: StoredEvent | undefined
    this.#kept.push({ position, name, size, event: () => (parsed ??= parse()) })
    this.#size += size
    if (this.#kept.length > maxEvents || this.#size > maxCharacters) this.#forgetOlderHalf()
  }

  /** The cached matching events after a position; null when the cache doesn't reach back that far. */
  since(after: number, names: ReadonlySet<string> | undefined): StoredEvent[] | null {
    if (after < this.reach) return null
    let first = this.#kept.length
    while (first > 0 && (this.#kept[first - 1]?.position ?? 0) > after) first -= 1
    const matching = this.#kept.slice(first).filter(({ name }) => names === undefined || names.has(name))
    return matching.map(({ event }) => event())
  }

  /** Wakes all waiting subscribers. */
  ring(): void {
    const waiting = this.#waiting
    this.#waiting = new Set()
    for (const wake of waiting) wake()
  }

  /** Resolves at the next `ring` or when the signal aborts, whichever is first. */
  async appended(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    let wake = () => {}
    await new Promise<void>((resolve) => {
      wake = resolve
      this.#waiting.add(wake)
      signal.addEventListener('abort', wake, { once: true })
    })
    this.#waiting.delete(wake)
    signal.removeEventListener('abort', wake)
  }

  #forgetOlderHalf(): void {
    const forgotten = this.#kept.splice(0, Math.ceil(this.#kept.length / 2))
    for (const { size, position } of forgotten) {
      this.#size -= size
      this.reach = position
    }
  }
}

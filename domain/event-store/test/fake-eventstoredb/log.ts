/** EventStoreDB's data and append rules, for the test server that speaks its protocol. */
export interface Proposed {
  readonly id: string
  readonly type: string
  readonly contentType: string
  readonly data: Uint8Array
  readonly metadata: Uint8Array
}

export interface Entry extends Proposed {
  readonly stream: string
  readonly revision: number
  /** Its offset in the transaction log: grows by the bytes written, like in a real one. */
  readonly position: number
  /** In 100 ns since year 1, as .NET counts. */
  readonly created: string
}

export type Expected = 'any' | 'no-stream' | 'stream-exists' | number

export type Appended =
  | { readonly kind: 'stored'; readonly revision: number; readonly position: number }
  | { readonly kind: 'wrong-revision'; readonly current: number | null }
  | { readonly kind: 'deleted' }
  | { readonly kind: 'too-large'; readonly most: number }

export class Log {
  readonly entries: Entry[] = []
  readonly #streams = new Map<string, Entry[]>()
  readonly #deleted = new Set<string>()
  #end = 0
  #waiting = new Set<() => void>()

  /** @param most the maximum size of one append in bytes */
  constructor(private readonly most = 16 * 1024 * 1024) {}

  stream(name: string): readonly Entry[] | null {
    return this.#streams.get(name) ?? null
  }

  isDeleted(name: string): boolean {
    return this.#deleted.has(name)
  }

  /** Makes the stream unwritable for ever. */
  tombstone(name: string): void {
    this.#deleted.add(name)
  }

  append(name: string, expected: Expected, proposed: readonly Proposed[]): Appended {
    if (this.#deleted.has(name)) return { kind: 'deleted' }
    if (proposed.reduce((sum, { data, metadata }) => sum + data.length + metadata.length, 0) > this.most)
      return { kind: 'too-large', most: this.most }
    const events = this.#streams.get(name) ?? []
    const current = events.length - 1
    const first = expected === 'no-stream' ? 0 : typeof expected === 'number' ? expected + 1 : current + 1
    if (first !== current + 1 || (expected === 'stream-exists' && current < 0))
      return this.#again(events, first, proposed) ?? { kind: 'wrong-revision', current: current < 0 ? null : current }
    for (const [index, event] of proposed.entries()) {
      const entry: Entry = {
        ...event,
        stream: name,
        revision: first + index,
        position: this.#end,
        created: String(BigInt(Date.now()) * 10_000n + 621_355_968_000_000_000n),
      }
      this.#end += 100 + event.data.length + event.metadata.length
      this.entries.push(entry)
      events.push(entry)
    }
    this.#streams.set(name, events)
    for (const wake of this.#waiting) wake()
    this.#waiting = new Set()
    const last = events.at(-1)
    return { kind: 'stored', revision: last?.revision ?? current, position: last?.position ?? 0 }
  }

  /** Resolves at the next append. */
  appended(): Promise<void> {
    return new Promise((resolve) => this.#waiting.add(resolve))
  }

  /** The index of the first entry at or after a position. */
  from(position: number): number {
    let [low, high] = [0, this.entries.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.entries[middle]?.position ?? 0) < position) low = middle + 1
      else high = middle
    }
    return low
  }

  /** An exact repeat at the same place succeeds again; a partial one does not. */
  #again(events: readonly Entry[], first: number, proposed: readonly Proposed[]): Appended | null {
    const there = events.slice(first, first + proposed.length)
    const same =
      proposed.length > 0 &&
      there.length === proposed.length &&
      there.every(({ id }, index) => id === proposed[index]?.id)
    const last = there.at(-1)
    return same && last ? { kind: 'stored', revision: last.revision, position: last.position } : null
  }
}

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

/** What reads need of a log, or of a follower's copy of it. */
export interface Readable {
  /** In the log's order, the server's own events included. */
  readonly all: readonly Entry[]
  stream(name: string): readonly Entry[] | null
  isDeleted(name: string): boolean
  /** Resolves when there may be more. */
  appended(): Promise<void>
  /** The index of the first entry at or after a position. */
  from(position: number): number
}

/** What a server writes at its first start: its users. Names of EventStoreDB 23.10's UserManagementService. */
const ownEvents = [
  ['$user-admin', '$UserCreated'],
  ['$users', '$User'],
  ['$user-ops', '$UserCreated'],
  ['$users', '$User'],
] as const

export class Log implements Readable {
  all: Entry[] = []
  /** Without the server's own. */
  readonly entries: Entry[] = []
  readonly #streams = new Map<string, Entry[]>()
  readonly #deleted = new Set<string>()
  /** The first revision that a read of the stream shows. */
  readonly #begins = new Map<string, number>()
  #end = 0
  #waiting = new Set<() => void>()

  /**
   * @param maxAppendBytes of all events of one append together: the real server's default is 1 MiB, measured on 23.10.6
   *   (1,040,000 bytes were stored, two events of 600,000 were not)
   */
  constructor(private readonly maxAppendBytes = 1024 * 1024) {
    for (const [stream, type] of ownEvents) {
      const event = { id: crypto.randomUUID(), type, contentType: 'application/json' }
      this.append(stream, 'any', [{ ...event, data: Buffer.from('{}'), metadata: new Uint8Array() }])
    }
  }

  stream(name: string): readonly Entry[] | null {
    const begins = this.#begins.get(name)
    const entries = this.#streams.get(name) ?? null
    return begins === undefined ? entries : (entries?.slice(begins) ?? null)
  }

  isDeleted(name: string): boolean {
    return this.#deleted.has(name)
  }

  /** Makes the stream unwritable for ever. */
  tombstone(name: string): void {
    this.#deleted.add(name)
  }

  /** Hides the stream's earlier events from its reads, as `$tb` in its metadata does: `$all` still has them. */
  truncate(name: string, before: number): void {
    this.#begins.set(name, before)
  }

  /** Removes the stream's earlier events: positions and revisions keep their gaps. */
  scavenge(name: string, before: number): void {
    this.truncate(name, before)
    const gone = new Set(this.#streams.get(name)?.slice(0, before))
    this.all = this.all.filter((entry) => !gone.has(entry))
  }

  append(name: string, expected: Expected, proposed: readonly Proposed[]): Appended {
    if (this.#deleted.has(name)) return { kind: 'deleted' }
    // EventStoreDB 23.10, `Event.SizeOnDisk`.
    if (
      proposed.reduce((sum, { type, data, metadata }) => sum + data.length + metadata.length + 2 * type.length, 0) >
      this.maxAppendBytes
    )
      return { kind: 'too-large', most: this.maxAppendBytes }
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
      this.all.push(entry)
      if (!name.startsWith('$')) this.entries.push(entry)
      events.push(entry)
    }
    this.#streams.set(name, events)
    for (const wake of this.#waiting) wake()
    this.#waiting = new Set()
    const last = events.at(-1)
    return { kind: 'stored', revision: last?.revision ?? current, position: last?.position ?? 0 }
  }

  /** Takes the place of everything here: another log's entries, each at its position. */
  restore(entries: readonly Entry[]): void {
    this.all.splice(0, this.all.length, ...entries)
    this.entries.splice(0, this.entries.length, ...entries.filter(({ stream }) => !stream.startsWith('$')))
    this.#streams.clear()
    for (const entry of entries) this.#streams.set(entry.stream, [...(this.#streams.get(entry.stream) ?? []), entry])
    const last = entries.at(-1)
    this.#end = last ? last.position + 100 + last.data.length + last.metadata.length : 0
  }

  appended(): Promise<void> {
    return new Promise((resolve) => this.#waiting.add(resolve))
  }

  from(position: number): number {
    return indexFrom(this.all, position)
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

function indexFrom(entries: readonly Entry[], position: number): number {
  let [low, high] = [0, entries.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((entries[middle]?.position ?? 0) < position) low = middle + 1
    else high = middle
  }
  return low
}

/** A follower's copy of the leader's log: it has everything, until a test stops the replication. */
export class Replica implements Readable {
  /** How many entries it has while stopped. */
  #count: number | null = null
  #caughtUp = withResolvers()

  constructor(private readonly leader: Log) {}

  /** Later appends are missing here until `catchUp`. */
  stop(): void {
    this.#count = this.leader.all.length
    this.#caughtUp = withResolvers()
  }
  catchUp(): void {
    this.#count = null
    this.#caughtUp.resolve()
  }

  get all(): readonly Entry[] {
    return this.#count === null ? this.leader.all : this.leader.all.slice(0, this.#count)
  }
  stream(name: string): readonly Entry[] | null {
    const end = this.all.at(-1)?.position ?? -1
    const entries = this.leader.stream(name)?.filter(({ position }) => position <= end) ?? []
    return entries.length === 0 ? null : entries
  }
  isDeleted(name: string): boolean {
    return this.leader.isDeleted(name)
  }
  appended(): Promise<void> {
    return this.#count === null ? this.leader.appended() : this.#caughtUp.promise
  }
  from(position: number): number {
    return indexFrom(this.all, position)
  }
}

/** Node 20 has no `Promise.withResolvers`. */
function withResolvers(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((done) => (resolve = done))
  return { promise, resolve }
}

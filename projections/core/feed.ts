/** Feeds one collection of one projection: reads in large batches while behind, and takes what `LiveFeeds` delivers. */
import type { Position, StoredEvent } from '../../domain/core/event.ts'
import { yieldToEventLoop } from '../../domain/event-store/yield-to-event-loop.ts'
import { events as catalogue } from '../../domain/event-store/catalogue.ts'
import type { EventFilter, EventStore } from '../../domain/event-store/port.ts'
import type { CollectionWrite, ReadStore } from '../read-store/port.ts'
import { Folding, type FailedEvent } from './fold.ts'
import { isAfter, type Projection } from './projection.ts'
import type { Awaited as AwaitedEvent } from './waiters.ts'

/** While behind, a write waits until this many documents have changed. */
const maxDocumentsAWrite = 10_000
/** Limits of the documents, and their characters, that are kept in memory. */
const inMemory = { behind: [50_000, 40_000_000], live: [1_000, 2_000_000] } as const

export interface FeedPorts {
  readonly events: EventStore
  readonly store: ReadStore
}

export interface Passing {
  readonly signal?: AbortSignal | undefined
  /** Called with the number of events of each batch. */
  readonly onBatch?: ((events: number) => void) | undefined
  /** The position of the last event to handle. Absent: up to the log's current end. */
  readonly until?: Position
}

export class Feed {
  readonly filter: EventFilter
  /** The stored names of the events that it handles. */
  readonly names: readonly string[]
  readonly #names: ReadonlySet<string>
  #folding: Folding | null = null
  #checkpoint: Position | null = null
  #last: StoredEvent | null = null
  /** The last event that is folded but not written yet. */
  #pending: StoredEvent | null = null
  /** The log was searched up to here; what matched is folded. */
  #passed: Position | null = null
  #isIndexed = false

  constructor(
    readonly projection: Projection,
    readonly collection: string,
    readonly ports: FeedPorts,
    /** Whether reads go to the collection: then its documents are never ahead of its checkpoint. */
    public isRead: boolean,
  ) {
    this.names = catalogue.namesOf(projection.types)
    this.filter = { names: this.names }
    this.#names = new Set(this.names)
  }

  /** All events that the projection handles, up to this position, are in the collection. */
  get checkpoint(): Position | null {
    return this.#checkpoint
  }

  /**
   * Creates the collection if it is missing. Where it does not block this process, indexes wait until the collection is
   * filled, which is faster.
   */
  async open(): Promise<this> {
    const { store } = this.ports
    const { indexes, wordScope } = this.projection
    this.#isIndexed = this.isRead || store.blocksWhileIndexing
    await store.ensure(this.collection, this.#isIndexed ? indexes : [], wordScope)
    this.#checkpoint = await store.checkpoint(this.collection)
    this.#folding = new Folding(this.projection, this.collection, store, this.#checkpoint === null)
    return this
  }

  /** Adds the indexes that reads need, one at a time, unless `open` has created them. */
  async index(): Promise<void> {
    if (this.#isIndexed) return
    const { indexes, wordScope } = this.projection
    for (let count = 1; count <= indexes.length; count++) {
      await this.ports.store.ensure(this.collection, indexes.slice(0, count), wordScope)
      await yieldToEventLoop()
    }
  }

  /**
   * Whether an event is in the collection. One append's events are adjacent, so the last handled event also covers its
   * siblings.
   */
  has({ stream, revision, position }: AwaitedEvent): boolean {
    if (this.#checkpoint !== null && !isAfter(position, this.#checkpoint)) return true
    return this.#last?.stream === stream && this.#last.revision >= revision
  }

  /** Folds all events up to the log's current end, and returns how many there were. @throws FailedEvent */
  async catchUp({ signal, onBatch, until }: Passing = {}): Promise<number> {
    // Writes what an interrupted round had already folded.
    await this.#flush()
    let count = 0
    const onPassed = until === undefined ? (position: Position) => this.#pass(position) : undefined
    for await (const page of this.ports.events.readAll(this.reached, this.filter, onPassed)) {
      signal?.throwIfAborted()
      const batch = until === undefined ? page : page.filter(({ position }) => position <= until)
      await this.#take(batch)
      count += batch.length
      onBatch?.(batch.length)
      if (batch.length < page.length) break
    }
    await this.#flush()
    this.#folding?.trim(...inMemory.live)
    return count
  }

  /** The position up to which the projection's events are folded or known to be absent, in this process. */
  get reached(): Position | null {
    return this.#passed !== null && isAfter(this.#passed, this.#checkpoint) ? this.#passed : this.#checkpoint
  }

  /** Folds those of a batch's events that the projection handles and has not folded yet. Returns what stopped it. */
  async fold(batch: readonly StoredEvent[]): Promise<FailedEvent | null> {
    if (!this.#folding) throw new Error(`${this.collection} was not opened`)
    const { reached } = this
    const fresh = batch.filter(({ name, position }) => this.#names.has(name) && isAfter(position, reached))
    if (fresh.length === 0) return null
    const { last, failure } = await this.#folding.add(fresh)
    this.#pending = last ?? this.#pending
    return failure
  }

  /** What was folded since the last write; null when nothing was. Settle it with `written` or `lost`. */
  takeWrites(): (CollectionWrite & { readonly checkpoint: Position }) | null {
    if (!this.#pending || !this.#folding) return null
    return { collection: this.collection, writes: this.#folding.takeChanged(), checkpoint: this.#pending.position }
  }

  /** The stored collection has everything up to this position. */
  written(checkpoint: Position): void {
    this.#last = this.#pending ?? this.#last
    this.#pending = null
    if (isAfter(checkpoint, this.#checkpoint)) this.#checkpoint = checkpoint
    if ((this.#folding?.size ?? 0) > 2 * inMemory.live[0]) this.#folding?.trim(...inMemory.live)
  }

  /** After a failed write the stored state is unknown: the log is read again from the checkpoint. */
  lost(): void {
    this.#folding?.forget()
    this.#pending = null
    this.#passed = null
  }

  /** The log was searched up to here, and what matched was folded. */
  searchedTo(position: Position): void {
    if (isAfter(position, this.#passed)) this.#passed = position
  }

  /**
   * Moves the checkpoint over a part of the log without an event for this projection, so that it isn't searched again.
   * While folded events wait to be written, the checkpoint moves with them.
   */
  async #pass(position: Position): Promise<void> {
    this.searchedTo(position)
    if (this.#pending || !isAfter(position, this.#checkpoint)) return
    await this.ports.store.write(this.collection, [], position)
    this.#checkpoint = position
  }

  async #take(batch: readonly StoredEvent[]): Promise<void> {
    const failure = await this.fold(batch)
    // Writes the events before a failing one, so that only the failing one is retried.
    const { changed = 0, size = 0 } = this.#folding ?? {}
    if (failure || changed >= this.#documentsAWrite || size > 2 * inMemory.behind[0]) await this.#flush()
    if (failure) throw failure
  }

  async #flush(): Promise<void> {
    const pending = this.#pending
    if (!pending || !this.#folding) return
    const passed = this.#passed
    const reached = passed !== null && isAfter(passed, pending.position) ? passed : pending.position
    try {
      await this.#write(this.#folding, reached)
    } catch (error) {
      this.lost()
      throw error
    }
    this.#pending = null
    this.#last = pending
    this.#checkpoint = reached
  }

  /** Documents with readers are written in one transaction with their checkpoint, so they are few where it blocks. */
  get #documentsAWrite(): number {
    return this.isRead ? Math.min(maxDocumentsAWrite, this.ports.store.maxWritesAtOnce) : maxDocumentsAWrite
  }

  async #write(folding: Folding, position: Position): Promise<void> {
    const writes = folding.takeChanged()
    const size = this.isRead ? writes.length : this.ports.store.maxWritesAtOnce
    let start = 0
    for (; writes.length - start > size; start += size) {
      await this.ports.store.write(this.collection, writes.slice(start, start + size), null)
      await yieldToEventLoop()
    }
    await this.ports.store.write(this.collection, writes.slice(start), position)
    if (folding.size > 2 * inMemory.live[0]) folding.trim(...inMemory.behind)
  }
}

/** Feeds one collection of one projection: in large batches while behind, event by event when live. */
import type { Position, StoredEvent } from '../../domain/core/event.ts'
import { yieldToEventLoop } from '../../domain/event-store/yield-to-event-loop.ts'
import { events as catalogue } from '../../domain/event-store/catalogue.ts'
import type { EventFilter, EventStore } from '../../domain/event-store/port.ts'
import type { ReadStore } from '../read-store/port.ts'
import { Folding } from './fold.ts'
import { isAfter, type Projection } from './projection.ts'
import type { Awaited as AwaitedEvent } from './waiters.ts'

/** While behind, a write waits until this many documents have changed. */
const documentsAWrite = 10_000
/** A collection without readers yet is written in small batches, so that requests are served in between. */
const batchSize = 200
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
  #folding: Folding | null = null
  #checkpoint: Position | null = null
  #last: StoredEvent | null = null
  /** The last event that is folded but not written yet. */
  #pending: StoredEvent | null = null
  /** The log was searched up to here; what matched is folded. */
  #passed: Position | null = null

  constructor(
    readonly projection: Projection,
    readonly collection: string,
    readonly ports: FeedPorts,
    /** Whether reads go to the collection: then its documents are never ahead of its checkpoint. */
    public isRead: boolean,
  ) {
    this.filter = { names: catalogue.namesOf(projection.types) }
  }

  /** All events that the projection handles, up to this position, are in the collection. */
  get checkpoint(): Position | null {
    return this.#checkpoint
  }

  /** Creates the collection if it is missing. Indexes wait until it is filled, because that is much faster. */
  async open(): Promise<this> {
    const { store } = this.ports
    await store.ensure(this.collection, this.isRead ? this.projection.indexes : [])
    this.#checkpoint = await store.checkpoint(this.collection)
    this.#folding = new Folding(this.projection, this.collection, store, this.#checkpoint === null)
    return this
  }

  /** Adds the indexes that reads need, one at a time. */
  async index(): Promise<void> {
    const { indexes } = this.projection
    for (let count = 1; count <= indexes.length; count++) {
      await this.ports.store.ensure(this.collection, indexes.slice(0, count))
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
    for await (const page of this.ports.events.readAll(this.#checkpoint, this.filter, onPassed)) {
      signal?.throwIfAborted()
      const batch = until === undefined ? page : page.filter(({ position }) => position <= until)
      await this.#take(batch, documentsAWrite)
      count += batch.length
      onBatch?.(batch.length)
      if (batch.length < page.length) break
    }
    await this.#flush()
    this.#folding?.trim(...inMemory.live)
    return count
  }

  /** Follows the log until the signal aborts. @throws FailedEvent */
  async follow(signal: AbortSignal, onBatch: () => void): Promise<void> {
    const onPassed = (position: Position) => this.#pass(position)
    for await (const batch of this.ports.events.subscribe(this.#checkpoint, this.filter, signal, onPassed)) {
      await this.#take(batch, 0)
      if ((this.#folding?.size ?? 0) > 2 * inMemory.live[0]) this.#folding?.trim(...inMemory.live)
      onBatch()
    }
  }

  /**
   * Moves the checkpoint over a part of the log without an event for this projection, so that it isn't searched again.
   * While folded events wait to be written, the checkpoint moves with them.
   */
  async #pass(position: Position): Promise<void> {
    this.#passed = position
    if (this.#pending || !isAfter(position, this.#checkpoint)) return
    await this.ports.store.write(this.collection, [], position)
    this.#checkpoint = position
  }

  async #take(batch: readonly StoredEvent[], atLeast: number): Promise<void> {
    if (!this.#folding) throw new Error(`${this.collection} was not opened`)
    const { last, failure } = await this.#folding.add(batch)
    this.#pending = last ?? this.#pending
    // Writes the events before a failing one, so that only the failing one is retried.
    const isFull = this.#folding.changed >= atLeast || this.#folding.size > 2 * inMemory.behind[0]
    if (failure || isFull) await this.#flush()
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
      this.#folding.forget()
      this.#pending = null
      throw error
    }
    this.#pending = null
    this.#last = pending
    this.#checkpoint = reached
  }

  async #write(folding: Folding, position: Position): Promise<void> {
    const writes = folding.takeChanged()
    const size = this.isRead ? writes.length : batchSize
    let start = 0
    for (; writes.length - start > size; start += size) {
      await this.ports.store.write(this.collection, writes.slice(start, start + size), null)
      await yieldToEventLoop()
    }
    await this.ports.store.write(this.collection, writes.slice(start), position)
    if (folding.size > 2 * inMemory.live[0]) folding.trim(...inMemory.behind)
  }
}

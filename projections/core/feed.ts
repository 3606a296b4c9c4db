/** Feeds one collection of one projection: many events a write while behind, as they come when live. */
import type { Position, StoredEvent } from '../../domain/core/event.ts'
import { yieldToEventLoop } from '../../domain/event-store/yield-to-event-loop.ts'
import { events as catalogue } from '../../domain/event-store/catalogue.ts'
import type { EventFilter, EventStore } from '../../domain/event-store/port.ts'
import type { ReadStore } from '../read-store/port.ts'
import { Folding } from './fold.ts'
import { isAfter, type Projection } from './projection.ts'
import type { Awaited as AwaitedEvent } from './waiters.ts'

/** While behind, a write is put off until so many documents have changed. */
const documentsAWrite = 10_000
/** A collection that nobody reads yet is written in portions, so that requests get their turn in between. */
const documentsAPortion = 200
/** Documents, and the characters in them, that are kept in memory. */
const inMemory = { behind: [50_000, 40_000_000], live: [1_000, 2_000_000] } as const

export interface FeedPorts {
  readonly events: EventStore
  readonly store: ReadStore
}

export interface Passing {
  readonly signal?: AbortSignal | undefined
  /** Hears how many events each batch had. */
  readonly onBatch?: ((events: number) => void) | undefined
  /** The position of the last event to take in. Absent: up to the log's present end. */
  readonly until?: Position
}

export class Feed {
  readonly filter: EventFilter
  #folding: Folding | null = null
  #checkpoint: Position | null = null
  #last: StoredEvent | null = null
  /** The last event that is folded but not written yet. */
  #pending: StoredEvent | null = null

  constructor(
    readonly projection: Projection,
    readonly collection: string,
    readonly ports: FeedPorts,
    /** Whether reads go to the collection: then its documents never run ahead of its checkpoint. */
    public isRead: boolean,
  ) {
    this.filter = { names: catalogue.namesOf(projection.types) }
  }

  /** The position of the last event that is in the collection. */
  get checkpoint(): Position | null {
    return this.#checkpoint
  }

  /** Creates the collection where it is missing. Indexes can wait until it is filled: that is much less work. */
  async open(): Promise<this> {
    const { store } = this.ports
    await store.ensure(this.collection, this.isRead ? this.projection.indexes : [])
    this.#checkpoint = await store.checkpoint(this.collection)
    this.#folding = new Folding(this.projection, this.collection, store, this.#checkpoint === null)
    return this
  }

  /** Makes the collection fit for reads, index by index. */
  async index(): Promise<void> {
    const { indexes } = this.projection
    for (let count = 1; count <= indexes.length; count++) {
      await this.ports.store.ensure(this.collection, indexes.slice(0, count))
      await yieldToEventLoop()
    }
  }

  /** Whether an event is in the collection. One append's events lie side by side, so the last one handled tells for its own. */
  has({ stream, revision, position }: AwaitedEvent): boolean {
    if (this.#checkpoint !== null && !isAfter(position, this.#checkpoint)) return true
    return this.#last?.stream === stream && this.#last.revision >= revision
  }

  /** Folds everything up to the log's present end, and answers how many events that were. @throws FailedEvent */
  async catchUp({ signal, onBatch, until }: Passing = {}): Promise<number> {
    // What an interrupted round had folded already.
    await this.#flush()
    let count = 0
    for await (const page of this.ports.events.readAll(this.#checkpoint, this.filter)) {
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
    for await (const batch of this.ports.events.subscribe(this.#checkpoint, this.filter, signal)) {
      await this.#take(batch, 0)
      if ((this.#folding?.size ?? 0) > 2 * inMemory.live[0]) this.#folding?.trim(...inMemory.live)
      onBatch()
    }
  }

  async #take(batch: readonly StoredEvent[], atLeast: number): Promise<void> {
    if (!this.#folding) throw new Error(`${this.collection} was not opened`)
    const { last, failure } = await this.#folding.add(batch)
    this.#pending = last ?? this.#pending
    // What came before a failing event is kept, so that only this event is tried again.
    const isFull = this.#folding.changed >= atLeast || this.#folding.size > 2 * inMemory.behind[0]
    if (failure || isFull) await this.#flush()
    if (failure) throw failure
  }

  async #flush(): Promise<void> {
    const pending = this.#pending
    if (!pending || !this.#folding) return
    try {
      await this.#write(this.#folding, pending.position)
    } catch (error) {
      this.#folding.forget()
      this.#pending = null
      throw error
    }
    this.#pending = null
    this.#last = pending
    this.#checkpoint = pending.position
  }

  async #write(folding: Folding, position: Position): Promise<void> {
    const writes = folding.takeChanged()
    const portion = this.isRead ? writes.length : documentsAPortion
    let start = 0
    for (; writes.length - start > portion; start += portion) {
      await this.ports.store.write(this.collection, writes.slice(start, start + portion), null)
      await yieldToEventLoop()
    }
    await this.ports.store.write(this.collection, writes.slice(start), position)
    if (folding.size > 2 * inMemory.live[0]) folding.trim(...inMemory.behind)
  }
}

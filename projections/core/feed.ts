/** Feeds one collection of one projection: batches while behind, as events come when live. */
import type { Position, StoredEvent } from '../../domain/core/event.ts'
import { events as catalogue } from '../../domain/event-store/catalogue.ts'
import type { EventStore } from '../../domain/event-store/port.ts'
import type { ReadStore } from '../read-store/port.ts'
import { fold, Recent } from './fold.ts'
import { isAfter, type Projection } from './projection.ts'

const documentsInMemory = 20_000

export class Feed {
  readonly #recent = new Recent(documentsInMemory)
  #checkpoint: Position | null = null

  constructor(
    readonly projection: Projection,
    readonly collection: string,
    readonly events: EventStore,
    readonly store: ReadStore,
  ) {}

  /** The position of the last event that is in the collection. */
  get checkpoint(): Position | null {
    return this.#checkpoint
  }

  get filter(): { readonly names: readonly string[] } {
    return { names: catalogue.namesOf(this.projection.types) }
  }

  async open(): Promise<this> {
    await this.store.ensure(this.collection, this.projection.indexes)
    this.#checkpoint = await this.store.checkpoint(this.collection)
    return this
  }

  /** Folds everything up to the log's present end. `onBatch` hears how many events each batch had. */
  async catchUp(signal?: AbortSignal, onBatch?: (events: number) => void): Promise<void> {
    for await (const batch of this.events.readAll(this.#checkpoint, this.filter)) {
      signal?.throwIfAborted()
      await this.take(batch)
      onBatch?.(batch.length)
    }
  }

  /** Follows the log until the signal aborts. */
  async follow(signal: AbortSignal, onBatch: (batch: readonly StoredEvent[]) => void): Promise<void> {
    for await (const batch of this.events.subscribe(this.#checkpoint, this.filter, signal)) {
      await this.take(batch)
      onBatch(batch)
    }
  }

  private async take(batch: readonly StoredEvent[]): Promise<void> {
    const last = batch.at(-1)
    if (!last || !isAfter(last.position, this.#checkpoint)) return
    const writes = await fold(this.projection, this.collection, batch, this.store, this.#recent)
    await this.store.write(this.collection, writes, last.position)
    this.#checkpoint = last.position
  }
}

/** Folds a batch of events into the writes that bring a collection up to date. */
import type { Fact, Recorded, StoredEvent } from '../../domain/core/event.ts'
import { recorded } from '../../domain/event-store/catalogue.ts'
import type { Kept, ReadStore, Write } from '../read-store/port.ts'
import { isAfter, type Projection } from './projection.ts'

/** Documents that were folded lately, so that catching up need not read back what it just wrote. */
export class Recent {
  readonly #kept = new Map<string, Kept>()
  constructor(readonly limit: number) {}
  get(id: string): Kept | undefined {
    return this.#kept.get(id)
  }
  set(id: string, kept: Kept): void {
    this.#kept.delete(id)
    this.#kept.set(id, kept)
  }
  trim(): void {
    let excess = this.#kept.size - this.limit
    for (const id of this.#kept.keys()) {
      if (excess-- <= 0) return
      this.#kept.delete(id)
    }
  }
}

/**
 * Applies the events in order, in memory, and answers one write for each changed document.
 * An event at or before the position that a document was last changed at does nothing to it.
 */
export async function fold<V extends { readonly id: string }>(
  projection: Projection<V>,
  collection: string,
  batch: readonly StoredEvent[],
  store: ReadStore,
  recent: Recent,
): Promise<Write[]> {
  const steps = batch.map((stored) => {
    const event = recorded(stored)
    return { event, keys: projection.keys(event as Recorded<Fact>) }
  })
  const missing = new Set<string>()
  for (const { keys } of steps) for (const key of keys) if (!recent.get(key)) missing.add(key)
  const known = missing.size > 0 ? await store.getMany(collection, [...missing]) : new Map<string, Kept>()

  const changed = new Map<string, Write>()
  for (const { event, keys } of steps) {
    for (const key of keys) {
      const kept = changed.get(key) ?? recent.get(key) ?? known.get(key)
      if (kept && !isAfter(event.position, kept.position)) continue
      const doc = projection.apply((kept?.doc ?? null) as V | null, event, key)
      if (doc === null && (kept?.doc ?? null) === null) continue
      changed.set(key, { id: key, doc, position: event.position })
    }
  }
  const writes = [...changed.values()]
  for (const write of writes) recent.set(write.id, write)
  recent.trim()
  return writes
}

/** Folds events into documents in memory, and returns the changed ones to be written. */
import type { Fact, Position, Recorded, StoredEvent } from '../../domain/core/event.ts'
import { recorded } from '../../domain/event-store/catalogue.ts'
import type { Document, ReadStore, Write } from '../read-store/port.ts'
import { isAfter, type Projection } from './projection.ts'
import { weightOf } from './weight.ts'

/** An event that the projection's code can't handle; all events before it were folded, and nothing of it. */
export class FailedEvent extends Error {
  override readonly name = 'FailedEvent'
  /** The id of the request that caused it, for an operator's search in the log. */
  readonly correlationId: string
  constructor(projection: string, { name, stream, revision, metadata }: StoredEvent, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause)
    super(`${projection} can't apply ${name} (revision ${revision} of ${stream}): ${why}`, { cause })
    this.correlationId = metadata.correlationId
  }
}

/** Documents sampled to estimate the average weight. */
const sampleSize = 200

/** A failure of the store, which says nothing about the event. */
class UnreadDocuments extends Error {}
const unread = (cause: unknown): never => {
  throw new UnreadDocuments('The store could not be read', { cause })
}

const none: readonly string[] = []

interface Entry {
  readonly id: string
  doc: Document | null
  /** Null: no document is stored under this id. */
  position: Position | null
  isChanged: boolean
  /** Whether a document, or a tombstone, is stored under this id. */
  isStored: boolean
}

/** An event and the documents that it changes. */
interface Read {
  readonly stored: StoredEvent
  readonly event: Recorded
  readonly keys: readonly string[]
}

export class Folding {
  /** Ordered by last write, so that the least recently written come first. */
  readonly #known = new Map<string, Entry>()
  #changed: Entry[] = []
  /** Whether memory holds all documents of the collection: an unknown id is then a new one. */
  #hasAll: boolean

  constructor(
    readonly projection: Projection,
    readonly collection: string,
    readonly store: ReadStore,
    startsEmpty: boolean,
  ) {
    this.#hasAll = startsEmpty
  }

  /** The number of documents to write. */
  get changed(): number {
    return this.#changed.length
  }

  /** The number of documents in memory. */
  get size(): number {
    return this.#known.size
  }

  /**
   * Applies events in order, in memory. A document ignores an event at or before the position of its last change.
   * Returns the last applied event, and the failure that stopped it.
   */
  async add(
    batch: readonly StoredEvent[],
  ): Promise<{ readonly last: StoredEvent | null; readonly failure: FailedEvent | null }> {
    const { read, failure } = this.#read(batch)
    if (!this.#hasAll) await this.#load(read)
    let last: StoredEvent | null = null
    for (const { stored, event, keys } of read) {
      try {
        const related = this.projection.relatedKeys?.(event as Recorded<Fact>, this.#document) ?? none
        const missing = related.filter((key) => !this.#known.has(key))
        if (missing.length > 0 && !this.#hasAll) await this.#fetch(new Set(missing)).catch(unread)
        this.#apply(event, related.length === 0 ? keys : [...keys, ...related])
      } catch (error) {
        if (error instanceof UnreadDocuments) throw error.cause
        return { last, failure: new FailedEvent(this.projection.name, stored, error) }
      }
      last = stored
    }
    return { last, failure }
  }

  /** The changed documents, each once; they are marked as written. */
  takeChanged(): Write[] {
    const changed = this.#changed
    this.#changed = []
    return changed.flatMap((entry) => {
      entry.isChanged = false
      this.#known.delete(entry.id)
      this.#known.set(entry.id, entry)
      const { id, doc, position, isStored } = entry
      entry.isStored = true
      return position === null ? [] : { id, doc, position, isNew: !isStored }
    })
  }

  /** Keeps the most recently written documents within both limits. Unwritten changes always stay. */
  trim(documents: number, characters: number): void {
    let excess = this.#known.size - Math.min(documents, Math.floor(characters / this.#averageWeight()))
    if (excess <= 0) return
    for (const { id, isChanged } of this.#known.values()) {
      if (excess <= 0) return
      if (isChanged) continue
      excess -= 1
      this.#known.delete(id)
      this.#hasAll = false
    }
  }

  /** After a failed write the stored state is unknown: documents are loaded again. */
  forget(): void {
    this.#known.clear()
    this.#changed = []
    this.#hasAll = false
  }

  #averageWeight(): number {
    let weight = 0
    let count = 0
    for (const { doc } of this.#known.values()) {
      if (count === sampleSize) break
      weight += weightOf(doc)
      count += 1
    }
    return weight / Math.max(1, count) + 1
  }

  /** Determines each event's documents, up to the first event that fails. */
  #read(batch: readonly StoredEvent[]): { readonly read: readonly Read[]; readonly failure: FailedEvent | null } {
    const read: Read[] = []
    for (const stored of batch) {
      try {
        const event = recorded(stored)
        read.push({ stored, event, keys: this.projection.keys(event as Recorded<Fact>) })
      } catch (error) {
        return { read, failure: new FailedEvent(this.projection.name, stored, error) }
      }
    }
    return { read, failure: null }
  }

  async #load(read: readonly Read[]): Promise<void> {
    const missing = new Set<string>()
    for (const { event, keys } of read)
      for (const key of keys) {
        if (this.#known.has(key)) continue
        if (this.projection.isPerStream && event.revision === 0) this.#keep(key, null, null)
        else missing.add(key)
      }
    await this.#fetch(missing)
  }

  async #fetch(missing: ReadonlySet<string>): Promise<void> {
    if (missing.size === 0) return
    const found = await this.store.getMany(this.collection, [...missing])
    for (const id of missing) this.#keep(id, found.get(id)?.doc ?? null, found.get(id)?.position ?? null)
  }

  #keep(id: string, doc: Document | null, position: Position | null): Entry {
    const entry = { id, doc, position, isChanged: false, isStored: position !== null }
    this.#known.set(id, entry)
    return entry
  }

  #apply(event: Recorded, keys: readonly string[]): void {
    const [only] = keys
    if (keys.length === 1 && only !== undefined) {
      const entry = this.#entry(only)
      return this.#settle(entry, this.#next(event, entry), event.position)
    }
    // All or nothing per event: if one document fails, the others stay unchanged.
    const next = keys.map((key) => this.#entry(key)).map((entry) => ({ entry, doc: this.#next(event, entry) }))
    for (const { entry, doc } of next) this.#settle(entry, doc, event.position)
  }

  /** A document that was loaded for the event. */
  readonly #document = (id: string) => (this.#known.get(id)?.doc ?? null) as { readonly id: string } | null

  #entry(id: string): Entry {
    return this.#known.get(id) ?? this.#keep(id, null, null)
  }

  /** The document after the event; unchanged when the event is not newer than its last change. */
  #next(event: Recorded, entry: Entry): Document | null {
    if (!isAfter(event.position, entry.position)) return entry.doc
    const doc = entry.doc as { readonly id: string } | null
    return this.projection.apply(doc, event, entry.id, this.#document) as Document | null
  }

  #settle(entry: Entry, doc: Document | null, position: Position): void {
    if (!isAfter(position, entry.position) || (doc === null && entry.doc === null)) return
    entry.doc = doc
    entry.position = position
    if (entry.isChanged) return
    entry.isChanged = true
    this.#changed.push(entry)
  }
}

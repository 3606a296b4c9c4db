/**
 * Documents shaped for screens. Collections are versioned (`posts_v1`); a view's name points at the live one.
 * Only uses what every engine offers: single-document upserts, ordinary indexes, no multi-document transactions.
 */
import type { Position } from '../../domain/core/event.ts'

export type Scalar = string | number | boolean | null
export type Document = { readonly [field: string]: unknown }

/** A document as stored. `doc` is null for a tombstone: deleted, but kept so that a late batch can't restore it. */
export interface Kept {
  readonly doc: Document | null
  readonly position: Position
}

/**
 * Put (`doc`) or delete (null) at a position. A write at an older or equal position than the stored one does nothing.
 */
export interface Write {
  readonly id: string
  readonly doc: Document | null
  readonly position: Position
  /** A hint: the writer knows of no stored document. A wrong one costs time, and changes nothing. */
  readonly isNew?: boolean
}

/** Equality, membership, or a half-open range. Fields are top-level and scalar. */
export type Condition = Scalar | { readonly in: readonly Scalar[] } | { readonly gte?: Scalar; readonly lt?: Scalar }
export type Where = { readonly [field: string]: Condition }

export interface Query {
  readonly where?: Where
  /**
   * Ties are broken by id in the same order, so that one index serves both. An absent field sorts first, as null.
   * Default: by id, ascending.
   */
  readonly sort?: { readonly field: string; readonly order: 'asc' | 'desc' }
  /**
   * Each word of this text must begin a word of the document, both folded by `wordsOf`; a text without words is no
   * condition. Only in a collection with a word scope, and `where` must name one value of that field.
   */
  readonly words?: string
  /**
   * Further conditions, which no index serves: the documents are read in order, a limited number at a time, and those
   * that do not meet them are left out.
   */
  readonly filter?: Where
  /** Told of documents that no index found, as they are read. A store whose server reads them tells nothing. */
  readonly looked?: (documents: number) => Promise<void>
  /** 1 to 1000, default 1000. */
  readonly limit?: number
  /** Opaque, from the last result's `next`, for the same query. */
  readonly cursor?: string
}

/** A cursor that does not belong to its query. */
export class WrongCursor extends RangeError {
  override readonly name = 'WrongCursor'
}

export interface Page {
  readonly items: readonly Document[]
  /** Null on the last page. */
  readonly next: string | null
  /** The cursor after the item at an index of `items`, for a caller that has no space for the rest. */
  readonly after: (index: number) => string
}

/** Each entry lists the fields of one index, in order. */
export type Indexes = readonly (readonly string[])[]

/**
 * The field whose value limits every search for words, for example the client. Documents of such a collection have
 * their words in the field `words`, as `searchable` returns them; `getMany` returns that field, other reads omit it.
 * Null: the collection has no index of words.
 */
export type WordScope = string | null

/** A search for words where there is no index of them, or outside of one scope. */
export class NotSearchable extends TypeError {
  override readonly name = 'NotSearchable'
}

export interface CollectionState {
  readonly name: string
  readonly checkpoint: Position | null
}

/** One collection's part of a write. */
export interface CollectionWrite {
  readonly collection: string
  readonly writes: readonly Write[]
  /** Null: leaves the checkpoint. */
  readonly checkpoint: Position | null
}

export interface ReadStore {
  /** Whether an index over stored documents blocks this process: it then has to come before the documents. */
  readonly blocksWhileIndexing: boolean
  /** Larger batches keep other work of this process, or of the store, waiting too long. */
  readonly maxWritesAtOnce: number
  /**
   * Creates the collection and its indexes if they are missing. Names match /^[a-z][a-z0-9_]*$/.
   * @param wordScope the same in every call
   */
  ensure(collection: string, indexes: Indexes, wordScope?: WordScope): Promise<void>
  get(collection: string, id: string): Promise<Document | null>
  /** Stored documents by id, tombstones included; unknown ids are absent. */
  getMany(collection: string, ids: readonly string[]): Promise<ReadonlyMap<string, Kept>>
  find(collection: string, query: Query): Promise<Page>
  count(collection: string, where?: Where): Promise<number>
  /**
   * Applies the writes, then moves the checkpoint (null: leaves it). Replaying a batch, or an older one, changes
   * nothing.
   */
  write(collection: string, writes: readonly Write[], checkpoint: Position | null): Promise<void>
  /** The same for several collections in as few requests as possible. Each part succeeds or fails by itself. */
  writeTogether(parts: readonly CollectionWrite[]): Promise<readonly PromiseSettledResult<void>[]>
  checkpoint(collection: string): Promise<Position | null>
  /** In one request; null before the first batch. A collection that is retired, or unknown, is absent. */
  checkpoints(collections: readonly string[]): Promise<ReadonlyMap<string, Position | null>>
  /** The collection that a view reads from; null before the first switch. */
  live(view: string): Promise<string | null>
  /** The collection that each view reads from, in one request. */
  liveCollections(): Promise<ReadonlyMap<string, string>>
  /** Points the view at a collection, atomically. */
  swap(view: string, collection: string): Promise<void>
  /** Drops at once. For a collection that never served reads. */
  drop(collection: string): Promise<void>
  /**
   * Refuses further writes to a collection that no longer serves reads, and drops it once every reader has had time to
   * notice: at once where only this process reads, else in a `sweep` a minute later.
   */
  retire(collection: string): Promise<void>
  /** Drops the collections that were retired long enough ago, and returns them. @param graceMs default a minute */
  sweep(graceMs?: number): Promise<readonly string[]>
  /** Deletes tombstones last written at or before a position. Returns how many. */
  prune(collection: string, upTo: Position): Promise<number>
  /** Without those retired. */
  collections(): Promise<readonly CollectionState[]>
  close(): Promise<void>
}

/**
 * Data that is not part of the domain's events: users, sessions, tokens, leases, checkpoints of processes. A rebuild
 * never touches it. The interface has only what every engine offers: insert-if-absent, unique fields, compare-and-set
 * on one record.
 */
export interface RecordDefinition<T extends { readonly id: string }> {
  /** Matches /^[a-z][a-z0-9_]*$/. */
  readonly table: string
  /** Fields (top-level, strings) of which no two records share a value. A null or absent value is not compared. */
  readonly unique?: readonly (keyof T & string)[]
  /** Fields (top-level, strings) that `find` and `removeBefore` look up. */
  readonly indexed?: readonly (keyof T & string)[]
}

export interface Versioned<T> {
  readonly record: T
  /**
   * Different after each change of the record, and never reused, even after its removal; the expected version of
   * `replace`.
   */
  readonly version: number
}

/** Half-open, by code points. */
export interface TextRange {
  readonly from: string
  readonly below: string
}

export interface RecordTable<T extends { readonly id: string }> {
  get(id: string): Promise<Versioned<T> | null>
  /** Inserts durably if neither the id nor a unique field is taken; else changes nothing and returns false. */
  insert(record: T): Promise<boolean>
  /**
   * Compare-and-set: replaces the record if it still has the expected version; else returns false. @throws
   * RecordConflict when another record has the value of a unique field
   */
  replace(record: T, expectedVersion: number): Promise<boolean>
  /** Inserts or overwrites. @throws RecordConflict when another record has the value of a unique field */
  put(record: T): Promise<void>
  /** Removes the record, if it still has the expected version where one is given; false when nothing was removed. */
  remove(id: string, expectedVersion?: number): Promise<boolean>
  /** Records whose unique or indexed field equals the value, by id, at most `limit` (default 100). */
  find(field: keyof T & string, value: string, limit?: number): Promise<readonly T[]>
  /** Records with a text in the unique or indexed field, of the range if given, smallest first, up to `limit`. */
  first(field: keyof T & string, limit: number, range?: TextRange): Promise<readonly T[]>
  /** The number of records; slightly outdated for a store that several processes share. */
  count(): Promise<number>
  /** Removes records whose indexed field sorts before the value (e.g. expired sessions). Returns how many. */
  removeBefore(field: keyof T & string, value: string): Promise<number>
}

export interface Records {
  /** Opens a table, creating it and its indexes where missing. */
  table<T extends { readonly id: string }>(definition: RecordDefinition<T>): Promise<RecordTable<T>>
  /**
   * Makes sure that removed data is in no file any more, where the files are ours. It may take as long as copying them.
   */
  scrub(): Promise<void>
  close(): Promise<void>
}

export class RecordConflict extends Error {
  override readonly name = 'RecordConflict'
  constructor(
    readonly table: string,
    readonly id: string,
  ) {
    super(`Another record of ${table} already has a unique value of ${id}`)
  }
}

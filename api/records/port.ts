/**
 * What is no fact of the domain: users, sessions, tokens, leases, a process's checkpoint. Never touched by a rebuild.
 * Only what every engine offers: insert-if-absent, unique fields, compare-and-set on one record.
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
  /** Another one after each change of the record, and never one that it had before, also over its removal; the expected value of `replace`. */
  readonly version: number
}

export interface RecordTable<T extends { readonly id: string }> {
  get(id: string): Promise<Versioned<T> | null>
  /** Inserts if neither the id nor a unique field is taken, durably; else changes nothing and answers false. */
  insert(record: T): Promise<boolean>
  /**
   * Compare-and-set: replaces the record if its version still is the expected one; else answers false.
   * @throws RecordConflict when another record has the value of a unique field
   */
  replace(record: T, expectedVersion: number): Promise<boolean>
  /**
   * Inserts or overwrites, whatever was there.
   * @throws RecordConflict when another record has the value of a unique field
   */
  put(record: T): Promise<void>
  /** Removes the record; false when there was none. */
  remove(id: string): Promise<boolean>
  /** Records whose unique or indexed field equals the value, by id, at most `limit` (default 100). */
  find(field: keyof T & string, value: string, limit?: number): Promise<readonly T[]>
  /** Records that have a text in the unique or indexed field, the smallest first, at most `limit`. */
  first(field: keyof T & string, limit: number): Promise<readonly T[]>
  /** How many there are; of a store that several processes share, as of a moment ago. */
  count(): Promise<number>
  /** Removes records whose indexed field sorts before the value (e.g. expired sessions). Answers how many. */
  removeBefore(field: keyof T & string, value: string): Promise<number>
}

export interface Records {
  /** Opens a table, creating it and its indexes where missing. */
  table<T extends { readonly id: string }>(definition: RecordDefinition<T>): Promise<RecordTable<T>>
  /** Makes sure that what was removed is in no file any more, where files are ours. It may take as long as copying them. */
  scrub(): Promise<void>
  close(): Promise<void>
}

export class RecordConflict extends Error {
  override readonly name = 'RecordConflict'
  constructor(
    readonly table: string,
    readonly id: string,
  ) {
    super(`Another record of ${table} has a value that only ${id} may have`)
  }
}

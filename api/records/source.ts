/** All records of an installation, to be copied to other stores. */
import type { RecordDefinition } from './port.ts'

export type AnyRecord = { readonly id: string } & Readonly<Record<string, unknown>>

export interface SourceTable {
  readonly definition: RecordDefinition<AnyRecord>
  /** All records by id, in batches. */
  records(): Iterable<readonly AnyRecord[]> | AsyncIterable<readonly AnyRecord[]>
  /** The record as it is now; null without one. Absent where nothing else writes. */
  current?(id: string): Promise<AnyRecord | null>
}

export interface RecordSource {
  readonly tables: readonly SourceTable[]
}

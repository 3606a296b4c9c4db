/** Removes an owner's records beyond a maximum. */
import type { RecordTable } from './port.ts'

interface Owned<T> {
  /** The indexed field that names the owner. */
  readonly field: keyof T & string
  readonly owner: string
  readonly max: number
  /** The start of a record's life, as sortable text. */
  readonly begun: (record: T) => string
  /** The record written just now: never removed, even if a clock that was set back makes it the oldest. */
  readonly except: string
}

/**
 * The oldest records beyond the owner's maximum. Reads twenty times the maximum, so an owner with more needs another
 * call.
 */
export async function surplusOf<T extends { readonly id: string }>(
  table: RecordTable<T>,
  { field, owner, max, begun, except }: Owned<T>,
): Promise<readonly T[]> {
  const others = (await table.find(field, owner, 20 * max)).filter(({ id }) => id !== except)
  const byAge = others
    .map((record) => ({ record, key: `${begun(record)} ${record.id}` }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
  return byAge.slice(0, Math.max(0, others.length + 1 - max)).map(({ record }) => record)
}

/** Removes all surplus records. */
export async function removeSurplus<T extends { readonly id: string }>(
  table: RecordTable<T>,
  owned: Owned<T>,
): Promise<void> {
  for (let oldest = await surplusOf(table, owned); oldest.length > 0; oldest = await surplusOf(table, owned)) {
    for (const { id } of oldest) await table.remove(id)
  }
}

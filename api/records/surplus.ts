/** Of what one owner has, what is beyond a maximum. */
import type { RecordTable } from './port.ts'

interface Owned<T> {
  /** The indexed field that names the owner. */
  readonly field: keyof T & string
  readonly owner: string
  readonly max: number
  /** When each began, as text that sorts. */
  readonly begun: (record: T) => string
  /** The record that was written just now: never surplus, though the oldest by a clock that was set back. */
  readonly except: string
}

/** The oldest, until the owner has no more than the maximum. Looks at twenty times the maximum: whoever has more is asked again. */
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

/** Removes them. */
export async function removeSurplus<T extends { readonly id: string }>(
  table: RecordTable<T>,
  owned: Owned<T>,
): Promise<void> {
  for (let oldest = await surplusOf(table, owned); oldest.length > 0; oldest = await surplusOf(table, owned)) {
    for (const { id } of oldest) await table.remove(id)
  }
}

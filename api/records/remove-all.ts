import type { RecordTable } from './port.ts'

/** Removes all records with a value. Can be interrupted and repeated. */
export async function removeAll<T extends { readonly id: string }>(
  records: RecordTable<T>,
  field: keyof T & string,
  value: string,
): Promise<void> {
  for (let found = await records.find(field, value); found.length > 0; found = await records.find(field, value))
    for (const { id } of found) await records.remove(id)
}

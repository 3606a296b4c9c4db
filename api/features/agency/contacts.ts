/** An agency's contact email: a record, because no event holds an email address. */
import type { Records } from '../../records/port.ts'

export interface Contacts {
  get(agencyId: string): Promise<string | null>
  put(agencyId: string, email: string): Promise<void>
  remove(agencyId: string): Promise<boolean>
}

export async function openContacts(records: Records): Promise<Contacts> {
  const table = await records.table<{ readonly id: string; readonly email: string }>({ table: 'agency_contacts' })
  return {
    get: async (agencyId) => (await table.get(agencyId))?.record.email ?? null,
    remove: (agencyId) => table.remove(agencyId),
    put: (agencyId, email) => table.put({ id: agencyId, email }),
  }
}

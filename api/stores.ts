/** What every shape of the product keeps its data in. */
import type { EventStore } from '../domain/event-store/port.ts'
import type { ReadStore } from '../projections/read-store/port.ts'
import type { MediaStore } from './media/port.ts'
import type { Records } from './records/port.ts'

export interface Stores {
  readonly events: EventStore
  readonly store: ReadStore
  readonly records: Records
  readonly media: MediaStore
  /** In the order in which they can do without each other. */
  close(): Promise<void>
}

export const storesOf = (parts: Omit<Stores, 'close'>): Stores => ({
  ...parts,
  async close() {
    await parts.media.close()
    await parts.records.close()
    await parts.store.close()
    await parts.events.close()
  },
})

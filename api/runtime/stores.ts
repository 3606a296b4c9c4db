/** The stores of every shape of the product. */
import type { Logger } from 'pino'
import type { EventStore } from '../../domain/event-store/port.ts'
import type { ReadStore } from '../../projections/read-store/port.ts'
import type { MediaStore } from '../features/media/port.ts'
import { boundedRecords } from '../records/bounded.ts'
import type { Records } from '../records/port.ts'

export interface Stores {
  readonly events: EventStore
  readonly store: ReadStore
  readonly records: Records
  readonly media: MediaStore
  /** In reverse order of dependency. */
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

/** The records of a running server, with the bounds of `records/bounds.ts` enforced. */
export const withinBounds = (records: Records, log: Logger): Records =>
  boundedRecords(records, {
    onFull: (kind) =>
      log.error(
        { kind },
        'The maximum number of records of this kind is reached: new ones are refused (see api/records/bounds.ts)',
      ),
  })

/** The backups of an installation on EventStoreDB and MongoDB. */
import { join } from 'node:path'
import { StoreUnavailable } from '../../../domain/event-store/port.ts'
import { SqliteFile } from '../../../domain/event-store/sqlite.ts'
import type { Screen } from '../../../projections/progress.ts'
import type { Clock } from '../../core/clock.ts'
import { keepBackups, type Backups } from './backups.ts'
import { copyStores, type SharedStores } from './copy-stores.ts'
import { CantBackUp } from './snapshot.ts'

interface Kept {
  readonly folder: string
  /** How many stay. */
  readonly kept: number
  readonly clock: Clock
  readonly screen: Screen
}

export const openSharedBackups = (from: SharedStores, { folder, kept, clock, screen }: Kept): Backups =>
  keepBackups(folder, kept, clock, {
    async check() {
      if ((await from.events.head()) === null)
        throw new CantBackUp('There are no events at EVENTSTORE_URL. Check the address.')
    },
    hold,
    copy: (job, signal) => copyStores(from, job, { screen, signal }),
    first: () => null,
  })

/** The stores serve any number of readers. The system drops the lock with the process, also with a killed one. */
function hold(folder: string): () => void {
  try {
    const lock = new SqliteFile(join(folder, 'lock.db'), { synchronous: 'NORMAL' })
    return () => lock.close()
  } catch (error) {
    if (error instanceof StoreUnavailable && /is already running/.test(error.message))
      throw new CantBackUp(`Another backup to ${folder} is running already.`)
    throw error
  }
}

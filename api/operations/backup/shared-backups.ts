/** The backups of an installation on EventStoreDB and MongoDB. */
import type { Screen } from '../../../projections/progress.ts'
import type { Clock } from '../../core/clock.ts'
import { keepBackups, type Backups } from './backups.ts'
import { copyStores, type SharedStores } from './copy-stores.ts'
import { lockIn } from './lock.ts'
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

/** The stores serve any number of readers. */
function hold(folder: string): () => void {
  const release = lockIn(folder)
  if (release === null) throw new CantBackUp(`Another backup to ${folder} is running already.`)
  return release
}

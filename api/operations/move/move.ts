/**
 * Moves an installation's log, images and records from one set of stores to another. Data moved before is left
 * unchanged.
 */
import type { EventStore } from '../../../domain/event-store/port.ts'
import { Progress, type Screen } from '../../../projections/progress.ts'
import type { MediaStore } from '../../features/media/port.ts'
import type { RecordSource } from '../../records/source.ts'
import type { Stores } from '../../runtime/stores.ts'
import { copyImages, type ImageCounts } from './images.ts'
import { copyLog, endsOf, eventsIn, mustBeginOurs, mustBeTheSame, sameEventThere } from './log.ts'
import { copyRecords, type Counts } from './records.ts'
import { mustBeForUs } from './target.ts'

export interface Origin {
  readonly events: EventStore
  readonly records: RecordSource
  readonly media: MediaStore
  /** The hashes to read from `media`. */
  readonly images: readonly string[]
}

export interface Target extends Pick<Stores, 'events' | 'records' | 'media'> {
  /** The names of the collections with content, besides the log. */
  contents(): Promise<readonly string[]>
}

export interface Moved {
  readonly streams: number
  readonly events: Counts
  readonly records: Counts
  readonly images: ImageCounts
}

interface Work {
  readonly screen: Screen
  readonly signal: AbortSignal
  /** The name of the backup that is restored; null for a move. */
  readonly backup?: string | null
}

const emptyHash = '0'.repeat(64)

/**
 * Stores only the installation's identity: after any interruption the target's content shows where to continue.
 * @throws MoveRefused when the target isn't ours, or differs in the end; StoreUnavailable; the signal's reason when it
 * aborts
 */
export async function move(from: Origin, to: Target, { screen, signal, backup = null }: Work): Promise<Moved> {
  // Fails now rather than after a long copy if the store is unavailable.
  await to.media.describe(emptyHash)
  const there = await endsOf(to.events)
  await mustBeginOurs(from.events, there)
  const finish = await mustBeForUs(from.events, to.records, await to.contents(), backup)

  const missing = (await from.events.count(null)) - eventsIn(there)
  const copying = new Progress('Copying', missing, screen)
  const ends = await copyLog(from.events, to.events, there, { signal, done: (events) => copying.add(events) })
  copying.end('copied')

  const images = await copyImages(from.images, from.media, to.media, signal)
  const records = await copyRecords(
    from.records,
    to.records,
    (position) => sameEventThere(from.events, to.events, position),
    signal,
  )

  const checking = new Progress('Checking', eventsIn(ends), screen)
  await mustBeTheSame(to.events, ends, { signal, done: (events) => checking.add(events) })
  checking.end('read back, and all hashes match')
  await finish()
  return { streams: ends.size, events: { seen: eventsIn(ends), copied: missing }, records, images }
}

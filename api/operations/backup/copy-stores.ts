/**
 * Copies EventStoreDB's log and MongoDB's records and images into the files of a backup, while people work. The result
 * is a backup like that of a data folder, with three differences: the keys are not in it, because processes get them
 * as settings; neither is the sandbox's feed, which is a file of the sandbox's own; and its parts are of different
 * moments, in an order in which the log of the backup finds all that it needs:
 *
 * 1. Records that say how far the log was worked off. All that they say was done is in the log that is read next.
 * 2. The log, up to its end at that time.
 * 3. All other records: the people, tokens and addresses that events name were stored before those events. Some may
 *    belong to later events, which the backup lacks; no event of it needs them.
 * 4. The images, which are stored before an event names them and are never removed.
 */
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Position, StoredEvent } from '../../../domain/core/event.ts'
import { events as catalogue } from '../../../domain/event-store/catalogue.ts'
import { openEmbeddedEventStore } from '../../../domain/event-store/embedded.ts'
import type { Batch, EventStore, WrongExpectedRevision } from '../../../domain/event-store/port.ts'
import { Progress, type Screen } from '../../../projections/progress.ts'
import type { MediaStore } from '../../features/media/port.ts'
import { openEmbeddedRecords } from '../../records/embedded.ts'
import type { AnyRecord, RecordSource, SourceTable } from '../../records/source.ts'
import { copyLog, eventAt } from '../move/log.ts'
import { copyRecords, positions } from '../move/records.ts'
import { markTable } from '../move/target.ts'
import type { Job } from './copy.ts'
import { copyImages } from './copy-images.ts'
import { finish } from './finish.ts'
import { imagesFolder, logFile } from './files.ts'
import { CantBackUp } from './snapshot.ts'

export interface SharedStores {
  readonly events: Pick<EventStore, 'head' | 'readAll'>
  /** Opened for each backup: a later version of the product has further tables. */
  readonly records: () => Promise<RecordSource>
  readonly media: Pick<MediaStore, 'read'>
  /** The hashes of all images. */
  readonly images: () => AsyncIterable<string>
}

/**
 * Tables that say what was done with the log. Read after it, they could say that an event beyond its end was handled,
 * or the entry that an event made could be gone already.
 */
const readBefore: readonly string[] = ['planner_agenda', 'connection_checks', 'audit_checkpoints', 'billing_messages']
const recordsFile = 'records.db'

type Placed = (position: Position) => Promise<Position | null>

/** @throws CantBackUp, StoreUnavailable, the signal's reason on abort */
export async function copyStores(
  from: SharedStores,
  { into, earlier, at, version }: Omit<Job, 'dataDir'>,
  { screen, signal }: { readonly screen: Screen; readonly signal: AbortSignal },
): Promise<void> {
  const source = await from.records()
  await mustBeFinished(source.tables)
  const tables = source.tables.filter(({ definition }) => definition.table !== markTable.table)
  const named = (names: readonly string[]) => tables.filter(({ definition }) => names.includes(definition.table))
  const records = await openEmbeddedRecords(join(into, recordsFile), 'NORMAL')
  let count = 0
  const copy = async (label: string, some: readonly SourceTable[], placed: Placed = nowhere) => {
    const progress = new Progress(label, null, screen, undefined, 'records')
    const { seen } = await copyRecords({ tables: some }, records, placed, signal, (more) => progress.add(more))
    progress.end('copied')
    count += seen
  }
  try {
    // The positions first: the entries of their processes are at least as new.
    const checkpoints = await Promise.all(named([positions]).map(inMemory))
    await copy('Work done', named(readBefore))
    const placed = await copyLogUpToNow(from.events, join(into, logFile), positionsIn(checkpoints), { screen, signal })
    const others = tables.filter(({ definition }) => ![positions, ...readBefore].includes(definition.table))
    await copy('Records', others)
    await copy('Positions', checkpoints, placed)
  } finally {
    await records.close()
  }
  const progress = new Progress('Images', null, screen, undefined, 'images')
  const images = await copyImages(from.images(), join(into, imagesFolder), earlier, async (hash, file) => {
    signal.throwIfAborted()
    await written(file, (await from.media.read(hash)) ?? new Uint8Array())
    progress.add(1)
  })
  progress.end('copied')
  signal.throwIfAborted()
  // A restore may have begun meanwhile.
  await mustBeFinished((await from.records()).tables)
  const withoutRecords =
    count > 0
      ? null
      : 'There are no records at MONGODB_URL, but events at EVENTSTORE_URL: no user could sign in. Check both addresses.'
  await finish({ into, at, version, present: [logFile, recordsFile], secrets: [], images, withoutRecords })
}

/** @returns the place in the copy of each of these positions */
async function copyLogUpToNow(
  from: SharedStores['events'],
  file: string,
  places: readonly Position[],
  { screen, signal }: { readonly screen: Screen; readonly signal: AbortSignal },
): Promise<Placed> {
  const to = await openEmbeddedEventStore(file, { synchronous: 'NORMAL' })
  try {
    const end = await from.head()
    const last = new Map<Position, StoredEvent>()
    const ours: Pick<EventStore, 'readAll'> = { readAll: () => upTo(end, from, places, last) }
    const progress = new Progress('Log', null, screen)
    await copyLog(ours, to, new Map(), { signal, done: (events) => progress.add(events), onConflict: incomplete })
    progress.end('copied')
    const found = new Map<Position, Position | null>()
    for (const [position, { stream, revision }] of last)
      found.set(position, (await eventAt(to, stream, revision))?.position ?? null)
    return async (position) => found.get(position) ?? null
  } finally {
    await to.close()
  }
}

/** The product's own events. Notes the last one up to each place. */
async function* upTo(
  end: Position | null,
  from: SharedStores['events'],
  places: readonly Position[],
  last: Map<Position, StoredEvent>,
): AsyncIterable<Batch> {
  if (end === null) return
  for await (const batch of from.readAll(null)) {
    const ours = batch.filter((event) => event.position <= end && isOurs(event))
    for (const place of places) {
      const reached = ours.findLast(({ position }) => position <= place)
      if (reached) last.set(place, reached)
    }
    if (ours.length > 0) yield ours
    if ((batch.at(-1)?.position ?? end) >= end) return
  }
  throw new CantBackUp('EventStoreDB ended its log before the last event. Run the backup again.')
}

/** Half of an installation is no backup, and would take the place of an earlier one. @throws CantBackUp */
async function mustBeFinished(tables: readonly SourceTable[]): Promise<void> {
  for (const { definition, records } of tables) {
    if (definition.table !== markTable.table) continue
    for await (const page of records())
      if (page.some(({ isUnfinished }) => isUnfinished === true))
        throw new CantBackUp('A move or a restore to these stores is not finished: the data there is incomplete.')
  }
}

const known = new Set(catalogue.names)
/** Other programs may write to the same server. Their events have no hash, and other names. */
const isOurs = ({ name, metadata }: StoredEvent): boolean =>
  typeof (metadata as { readonly hash?: unknown } | undefined)?.hash === 'string' || known.has(name)

function incomplete({ stream, expected, actual }: WrongExpectedRevision): never {
  throw new CantBackUp(
    `Events of ${stream} are missing at EVENTSTORE_URL: after event ${actual < 0 ? 'none' : actual} comes event ${expected === 'no-stream' ? 0 : expected + 1}. Run npm run audit -- verify for details.`,
  )
}

/** The few records of a table, as they are now. */
async function inMemory({ definition, records }: SourceTable): Promise<SourceTable> {
  const pages: (readonly AnyRecord[])[] = []
  for await (const page of records()) pages.push(page)
  return { definition, records: () => pages }
}

const positionsIn = (tables: readonly SourceTable[]): readonly Position[] =>
  tables
    .flatMap(({ records }) => [...(records() as Iterable<readonly AnyRecord[]>)].flat())
    .map(({ position }) => String(position))

const nowhere: Placed = async () => null

async function written(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

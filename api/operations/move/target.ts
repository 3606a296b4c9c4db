/**
 * What MONGODB_URL may contain before a move or a restore: nothing, or the data of an earlier run of the same one. A
 * mark there keeps processes from starting on half of the data.
 */
import type { EventStore } from '../../../domain/event-store/port.ts'
import type { MongoConnection } from '../../../projections/read-store/mongodb-connection.ts'
import type { Records } from '../../records/port.ts'
import { MoveRefused } from './refused.ts'

/** The data that is copied there. */
interface Mark {
  readonly id: 'from'
  /** The id of the first event of its log. */
  readonly log: string
  /** The backup that is restored; absent for a move. */
  readonly backup?: string | undefined
  /** Absent in marks of earlier versions. */
  readonly isUnfinished?: boolean
}

export const markTable = { table: 'moves' } as const

/** What a move writes: records, images, and the number of times records were opened. */
const written = /^(r_|media$|media_parts$|record_openings$)/
const noEventYet = 'no-event-yet'

/** The collections with content. */
export async function contentsOf(mongo: MongoConnection): Promise<readonly string[]> {
  return mongo.runLong(async (db) => {
    const names = (await db.listCollections().toArray())
      .map(({ name }) => name)
      .filter((name) => !name.startsWith('system.'))
    const isFull = await Promise.all(
      names.map(async (name) => (await db.collection(name).findOne({}, { projection: { _id: 1 } })) !== null),
    )
    return names.filter((_, at) => isFull[at]).sort()
  })
}

/**
 * Existing views would be taken for this log's and never get its events; records of another installation would let its
 * users sign in here.
 * Marks the target as this data's, and as unfinished, so that a later run recognizes it. @param backup the name of the
 * backup that is restored; null for a move @returns marks the target as finished @throws MoveRefused before anything is
 * written
 */
export async function mustBeForUs(
  from: EventStore,
  to: Records,
  contents: readonly string[],
  backup: string | null,
): Promise<() => Promise<void>> {
  const foreign = contents.find((name) => !written.test(name))
  if (foreign !== undefined)
    throw new MoveRefused(
      `The database at MONGODB_URL is in use already (it has ${foreign}): moved data would be ignored or mixed with it. ${choose}`,
    )
  const marks = await to.table<Mark>(markTable)
  const log = await firstOf(from)
  const known = (await marks.get('from'))?.record
  if (known?.log === log && (known.backup ?? null) !== backup)
    throw new MoveRefused(
      `The database at MONGODB_URL has data of ${known.backup === undefined ? 'a move' : `the backup of ${known.backup}`}. Nothing was changed. Finish what was begun there, or choose an empty database and an empty event store.`,
    )
  // What has changed since would be lost.
  if (known?.log === log && backup !== null && known.isUnfinished !== true)
    throw new MoveRefused(`The backup of ${backup} is restored there already. Nothing was changed.`)
  if (known?.log !== log && contents.length > 0)
    throw new MoveRefused(
      `The database at MONGODB_URL has records of another installation (in ${contents[0]?.replace(/^r_/, '') ?? ''}). ${choose}`,
    )
  const mark = { id: 'from', log, ...(backup === null ? {} : { backup }) } as const
  await marks.put({ ...mark, isUnfinished: true })
  return () => marks.put({ ...mark, isUnfinished: false })
}

/** Whether a move or a restore to these stores was begun and is not finished. @throws StoreUnavailable */
export async function isUnfinished(records: Records): Promise<boolean> {
  const mark = await (await records.table<Mark>(markTable)).get('from')
  return mark?.record.isUnfinished === true
}

const choose =
  'Nothing was changed. Choose an empty database, or the one of an interrupted move or restore of this installation that no process has used yet.'

async function firstOf(log: EventStore): Promise<string> {
  for await (const [first] of log.readAll(null)) return first?.metadata.eventId ?? noEventYet
  return noEventYet
}

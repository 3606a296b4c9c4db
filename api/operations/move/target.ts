/** What MONGODB_URL may contain before a move: nothing, or the data of an earlier run of the same move. */
import type { EventStore } from '../../../domain/event-store/port.ts'
import type { MongoConnection } from '../../../projections/read-store/mongodb-connection.ts'
import type { Records } from '../../records/port.ts'
import { MoveRefused } from './refused.ts'

/** The installation that is moved there, identified by its log's first event. */
interface Mark {
  readonly id: 'from'
  readonly log: string
}

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
 * Marks the target as this installation's, so that a later run recognizes it. @throws MoveRefused before anything is
 * written
 */
export async function mustBeForUs(from: EventStore, to: Records, contents: readonly string[]): Promise<void> {
  const foreign = contents.find((name) => !written.test(name))
  if (foreign !== undefined)
    throw new MoveRefused(
      `The database at MONGODB_URL is in use already (it has ${foreign}): moved data would be ignored or mixed with it. ${choose}`,
    )
  const marks = await to.table<Mark>({ table: 'moves' })
  const log = await firstOf(from)
  const known = (await marks.get('from'))?.record.log
  if (known === log) return
  if (contents.length > 0)
    throw new MoveRefused(
      `The database at MONGODB_URL has records of another installation (in ${contents[0]?.replace(/^r_/, '') ?? ''}). ${choose}`,
    )
  await marks.insert({ id: 'from', log })
}

const choose =
  'Nothing was changed. Choose an empty database, or the one of an interrupted move of this installation that no process has used yet.'

async function firstOf(log: EventStore): Promise<string> {
  for await (const [first] of log.readAll(null)) return first?.metadata.eventId ?? noEventYet
  return noEventYet
}

/**
 * Reads all records in MongoDB while processes write them: each record is from one moment, but not all from the same.
 */
import type { Db } from 'mongodb'
import { toKey, type MongoConnection } from '../../projections/read-store/mongodb-connection.ts'
import type { AnyRecord, RecordSource, SourceTable } from './source.ts'

interface Stored {
  readonly _id: string
  readonly record: string
}

const prefix = 'r_'
const recordsAtOnce = 200

/** Unique and indexed fields are read from the database's own indexes: a separate list could miss a new table. */
export async function openMongoRecordSource(mongo: MongoConnection): Promise<RecordSource> {
  const collections = await mongo.runLong((db) => db.listCollections({}, { nameOnly: true }).toArray())
  const names = collections.map(({ name }) => name).filter((name) => name.startsWith(prefix))
  const tables: SourceTable[] = []
  for (const name of names.sort()) tables.push(await tableOf(mongo, name))
  return { tables }
}

async function tableOf(mongo: MongoConnection, name: string): Promise<SourceTable> {
  const indexes = await mongo.runLong((db) => db.collection(name).indexes())
  const fields = indexes.flatMap(({ key, unique = false }) => {
    const [first = ''] = Object.keys(key as object)
    return first.startsWith('f_') ? [{ field: first.slice(2), unique }] : []
  })
  const within = (db: Db) => db.collection<Stored>(name)
  return {
    definition: {
      table: name.slice(prefix.length),
      unique: fields.filter(({ unique }) => unique).map(({ field }) => field),
      indexed: fields.filter(({ unique }) => !unique).map(({ field }) => field),
    },
    async *records() {
      // Every id sorts after the empty text.
      for (let after = ''; ;) {
        const found = await mongo.runLong((db) =>
          within(db)
            .find({ _id: { $gt: after } })
            .sort({ _id: 1 })
            .limit(recordsAtOnce)
            .toArray(),
        )
        if (found.length === 0) return
        yield found.map(({ record }): AnyRecord => JSON.parse(record))
        after = found.at(-1)?._id ?? after
      }
    },
    async current(id) {
      const found = await mongo.runLong((db) => within(db).findOne({ _id: toKey(id) }))
      return found && JSON.parse(found.record)
    },
  }
}

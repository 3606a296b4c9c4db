/** Records in MongoDB: each as its JSON text beside the indexed fields. */
import type { Collection, Db, Filter } from 'mongodb'
import { isDuplicate, toKey, type MongoConnection } from '../../projections/read-store/mongodb-connection.ts'
import { createMissing, type Index } from '../../projections/read-store/mongodb-indexes.ts'
import {
  RecordConflict,
  type RecordDefinition,
  type Records,
  type RecordTable,
  type Versioned,
  type TextRange,
} from './port.ts'

interface Stored {
  readonly _id: string
  readonly version: number
  /** JSON. */
  readonly record: string
  /** The indexed fields. A missing unique field holds the record's own id, after a mark that no value begins with. */
  readonly [field: `f_${string}`]: string
}

interface Counter {
  readonly _id: string
  readonly opened: number
}

const withoutValue = '-'
const withValue = '='

export async function openMongoRecords(connection: MongoConnection): Promise<Records> {
  const nextVersion = versions()
  /** By definition. A table is opened in several places. */
  const prepared = new Map<string, Promise<void>>()
  const prepare = (key: string, table: { prepare(): Promise<void> }) => {
    const done = table.prepare()
    prepared.set(key, done)
    // The next opening tries again.
    done.catch(() => prepared.delete(key))
    return done
  }
  return {
    async table(definition) {
      const table = new MongoTable(connection, definition, nextVersion)
      const key = JSON.stringify(definition)
      await (prepared.get(key) ?? prepare(key, table))
      return table
    },
    // The files belong to the MongoDB server.
    scrub: async () => undefined,
    close: () => connection.close(),
  }
}

type Versions = (db: Db) => Promise<number>

/** Versions that no record ever had, in any process: each opening has a range of its own. */
function versions(): Versions {
  let last: Promise<number> | null = null
  const opening = async (db: Db) => {
    const count = () =>
      db
        .collection<Counter>('record_openings')
        .findOneAndUpdate({ _id: 'openings' }, { $inc: { opened: 1 } }, { upsert: true, returnDocument: 'after' })
    // Of two processes that open first, the second finds the new counter on its retry.
    const counted = await count().catch((error: unknown) => (isDuplicate(error) ? count() : Promise.reject(error)))
    return (counted?.opened ?? 1) * 2 ** 31
  }
  return (db) => {
    const next = (last ?? opening(db)).then((version) => version + 1)
    last = next
    // The next call retries a failed opening.
    next.catch(() => (last = null))
    return next
  }
}

class MongoTable<T extends { readonly id: string }> implements RecordTable<T> {
  constructor(
    private readonly mongo: MongoConnection,
    private readonly definition: RecordDefinition<T>,
    private readonly nextVersion: Versions,
  ) {
    if (!/^[a-z][a-z0-9_]*$/.test(definition.table))
      throw new TypeError(`Not a table: ${JSON.stringify(definition.table)}`)
  }

  async prepare(): Promise<void> {
    const { unique = [], indexed = [] } = this.definition
    const indexes: Index[] = [
      ...unique.map((name) => ({ key: { [field(name)]: 1 }, unique: true }) as const),
      ...indexed.map((name) => ({ key: { [field(name)]: 1, _id: 1 } }) as const),
    ]
    if (indexes.length > 0)
      await this.mongo.runLong((db) => createMissing(db.collection(`r_${this.definition.table}`), indexes))
  }

  async get(id: string): Promise<Versioned<T> | null> {
    const found = await this.#run((records) => records.findOne({ _id: toKey(id) }))
    return found && { record: JSON.parse(found.record), version: found.version }
  }

  async insert(record: T): Promise<boolean> {
    return this.#run(async (records, db) => {
      try {
        await records.insertOne({ _id: toKey(record.id), ...this.#stored(record, await this.nextVersion(db)) })
        return true
      } catch (error) {
        if (isDuplicate(error)) return false
        throw error
      }
    })
  }

  async replace(record: T, expectedVersion: number): Promise<boolean> {
    return this.#run(async (records, db) => {
      const expected: Filter<Stored> = { _id: toKey(record.id), version: expectedVersion }
      const stored = this.#stored(record, await this.nextVersion(db))
      const { matchedCount } = await records.replaceOne(expected, stored).catch(this.#conflicting(record.id))
      return matchedCount === 1
    })
  }

  async put(record: T): Promise<void> {
    const _id = toKey(record.id)
    await this.#run(async (records, db) => {
      const stored = this.#stored(record, await this.nextVersion(db))
      const again = () => records.replaceOne({ _id }, stored, { upsert: true }).catch(this.#conflicting(record.id))
      // Of two that insert the same record, one gets a duplicate error; then there is a record to replace.
      await records
        .replaceOne({ _id }, stored, { upsert: true })
        .catch((error: unknown) => (isDuplicate(error) ? again() : Promise.reject(error)))
    })
  }

  async remove(id: string, expectedVersion?: number): Promise<boolean> {
    const _id = toKey(id)
    const expected: Filter<Stored> = expectedVersion === undefined ? { _id } : { _id, version: expectedVersion }
    return this.#run(async (records) => (await records.deleteOne(expected)).deletedCount === 1)
  }

  async find(name: keyof T & string, value: string, limit = 100): Promise<readonly T[]> {
    const filter = this.#lookUp(name, (key, mark) => ({ [key]: mark + toKey(value) }))
    const found = await this.#run((records) => records.find(filter).sort({ _id: 1 }).limit(limit).toArray())
    return found.map(({ record }) => JSON.parse(record))
  }

  async first(name: keyof T & string, limit: number, range?: TextRange): Promise<readonly T[]> {
    const filter = this.#lookUp(name, (key, mark) => ({
      [key]: range ? { $gte: mark + toKey(range.from), $lt: mark + toKey(range.below) } : { $gte: mark },
    }))
    const key = name === 'id' ? '_id' : field(name)
    const found = await this.#run((records) =>
      records
        .find(filter)
        .sort({ [key]: 1, _id: 1 })
        .limit(limit)
        .toArray(),
    )
    return found.map(({ record }) => JSON.parse(record))
  }

  async count(): Promise<number> {
    return this.#run((records) => records.estimatedDocumentCount())
  }

  async removeBefore(name: keyof T & string, value: string): Promise<number> {
    const filter = this.#lookUp(name, (key, mark) => ({ [key]: { $gte: mark, $lt: mark + toKey(value) } }))
    return this.#run(async (records) => (await records.deleteMany(filter)).deletedCount)
  }

  #run<R>(work: (records: Collection<Stored>, db: Db) => Promise<R>): Promise<R> {
    return this.mongo.run((db) => work(db.collection<Stored>(`r_${this.definition.table}`), db))
  }

  #stored(record: T, version: number): Omit<Stored, '_id'> {
    const { unique = [], indexed = [] } = this.definition
    const values: (readonly [string, string])[] = []
    for (const name of [...indexed, ...unique]) {
      const value = record[name]
      if (typeof value === 'string') values.push([field(name), withValue + toKey(value)])
      else if (unique.includes(name)) values.push([field(name), withoutValue + toKey(record.id)])
    }
    return { version, record: JSON.stringify(record), ...Object.fromEntries(values) }
  }

  #lookUp(name: string, about: (key: string, mark: string) => unknown): Filter<Stored> {
    const { table, unique = [], indexed = [] } = this.definition
    if (name === 'id') return about('_id', '') as Filter<Stored>
    if (![...unique, ...indexed].some((known) => known === name))
      throw new TypeError(`${table} has no index on ${name}`)
    return about(field(name), withValue) as Filter<Stored>
  }

  #conflicting(id: string) {
    return (error: unknown): never => {
      throw isDuplicate(error) ? new RecordConflict(this.definition.table, id) : error
    }
  }
}

function field(name: string): `f_${string}` {
  if (!/^[A-Za-z][A-Za-z0-9]*$/.test(name)) throw new TypeError(`Not a field: ${JSON.stringify(name)}`)
  return `f_${name}`
}

/**
 * Documents in MongoDB: each as its JSON text, with the queried fields beside it, so that it is returned exactly as
 * written.
 */
import { MongoServerError, type AnyBulkWriteOperation, type Collection, type Db } from 'mongodb'
import type { Position } from '../../domain/core/event.ts'
import { fromCursor, toCursor } from './cursor.ts'
import { counting, pages, stored, type Stored } from './mongodb-query.ts'
import { isDuplicate, toKey, type MongoConnection } from './mongodb-connection.ts'
import type { CollectionState, Document, Indexes, Kept, Page, Query, ReadStore, Where, Write } from './port.ts'
import { maxDocuments } from './sql.ts'

interface CollectionRecord {
  readonly _id: string
  /** Absent before the first batch. */
  readonly checkpoint?: Position
  readonly ensured: true
}
interface ViewRecord {
  readonly _id: string
  readonly collection: string
}

type Work<T> = (documents: Collection<Stored>, db: Db) => Promise<T>

/** Retries of a batch while other processes write the same new documents. */
const maxRounds = 20
const idsAQuestion = 5_000
const updatesPerCommand = 1_000
/** FerretDB 1 holds one cursor per update open until the command ends, and has a hundred for all clients. */
const updatesPerCommandOfFerretDb1 = 20

export function openMongoReadStore(connection: MongoConnection): ReadStore {
  return new MongoReadStore(connection)
}

class MongoReadStore implements ReadStore {
  readonly #seen = new Set<string>()
  #updatesPerCommand: number | null = null
  constructor(private readonly mongo: MongoConnection) {}

  async ensure(collection: string, indexes: Indexes): Promise<void> {
    if (!/^[a-z][a-z0-9_]*$/.test(collection)) throw new TypeError(`Not a collection: ${JSON.stringify(collection)}`)
    await this.mongo.runLong(async (db) => {
      const documents = documentsOf(db, collection)
      // Each index starts with `alive`, so that reads skip tombstones, and ends with the id, like every sort order.
      const keys = [[], ...indexes].map((fields): Record<string, 1> =>
        Object.fromEntries([['alive', 1], ...fields.map((field) => [stored(field), 1]), ['_id', 1]]),
      )
      // One by one, and only the missing ones: FerretDB fails on a mixed list.
      const there = new Set((await documents.indexes().catch(noneYet)).map(({ key }) => JSON.stringify(key)))
      for (const key of [...keys, { alive: 1, position: 1 }])
        if (!there.has(JSON.stringify(key))) await documents.createIndex(key)
      await collectionsOf(db)
        .updateOne({ _id: collection }, { $set: { ensured: true } }, { upsert: true })
        .catch(passOverDuplicate)
    })
    this.#seen.add(collection)
  }

  async get(collection: string, id: string): Promise<Document | null> {
    return this.#in(collection, async (documents) => {
      const found = await documents.findOne({ _id: toKey(id) }, { projection: { doc: 1 } })
      return typeof found?.doc === 'string' ? JSON.parse(found.doc) : null
    })
  }

  async getMany(collection: string, ids: readonly string[]): Promise<ReadonlyMap<string, Kept>> {
    const names = new Map(ids.map((id) => [toKey(id), id]))
    const keys = [...names.keys()]
    return this.#inLong(collection, async (documents) => {
      const kept = new Map<string, Kept>()
      for (let start = 0; start < keys.length; start += idsAQuestion) {
        const some = byId(documents, keys.slice(start, start + idsAQuestion), { doc: 1, position: 1 })
        for await (const { _id, doc, position } of some)
          kept.set(names.get(_id) ?? _id, { position, doc: doc === null ? null : JSON.parse(doc) })
      }
      return kept
    })
  }

  async find(collection: string, query: Query): Promise<Page> {
    const { sort, cursor, limit = maxDocuments } = query
    if (!Number.isInteger(limit) || limit < 1 || limit > maxDocuments) throw new RangeError(`Not a limit: ${limit}`)
    const mark = cursor === undefined ? null : fromCursor(cursor, sort)
    const stretches = pages(query, mark)
    return this.#in(collection, async (documents) => {
      const found: Stored[] = []
      for (const { filter, order } of stretches) {
        found.push(
          ...(await documents
            .find(filter)
            .sort(order)
            .limit(limit + 1 - found.length)
            .toArray()),
        )
        if (found.length > limit) break
      }
      const shown = found
        .slice(0, limit)
        .map(({ _id, doc }) => ({ id: _id, doc: JSON.parse(doc ?? 'null') as Document }))
      const after = (index: number) => toCursor(shown[index]?.id ?? '', shown[index]?.doc ?? {}, sort)
      return { items: shown.map(({ doc }) => doc), next: found.length > limit ? after(limit - 1) : null, after }
    })
  }

  async count(collection: string, where: Where = {}): Promise<number> {
    const filter = counting(where)
    const work: Work<number> = (documents) => documents.countDocuments(filter)
    // Only an operator counts all documents.
    return Object.keys(where).length === 0 ? this.#inLong(collection, work) : this.#in(collection, work)
  }

  async write(collection: string, writes: readonly Write[], checkpoint: Position | null): Promise<void> {
    await this.#inLong(collection, async (documents, db) => {
      if (writes.length > 0) await writeNewer(documents, newestOfEach(writes), await this.#limitOf(db))
      if (checkpoint === null) return
      const behind = { _id: collection, $or: [{ checkpoint: { $exists: false } }, { checkpoint: { $lt: checkpoint } }] }
      const { matchedCount } = await collectionsOf(db).updateOne(behind, { $set: { checkpoint } })
      if (matchedCount === 0 && !(await collectionsOf(db).findOne({ _id: collection }))) {
        // Another process dropped it meanwhile; this write must not restore it.
        this.#seen.delete(collection)
        await documents.drop()
        throw unknown(collection)
      }
    })
  }

  async checkpoint(collection: string): Promise<Position | null> {
    return this.mongo.run(async (db) => (await collectionsOf(db).findOne({ _id: collection }))?.checkpoint ?? null)
  }

  async live(view: string): Promise<string | null> {
    return this.mongo.run(async (db) => (await viewsOf(db).findOne({ _id: view }))?.collection ?? null)
  }

  async swap(view: string, collection: string): Promise<void> {
    await this.#in(collection, async (_, db) => {
      await viewsOf(db).updateOne({ _id: view }, { $set: { collection } }, { upsert: true })
    })
  }

  async drop(collection: string): Promise<void> {
    await this.mongo.runLong(async (db) => {
      const { deletedCount } = await collectionsOf(db).deleteOne({ _id: collection })
      if (deletedCount > 0) await documentsOf(db, collection).drop()
    })
    this.#seen.delete(collection)
  }

  async prune(collection: string, upTo: Position): Promise<number> {
    return this.#inLong(
      collection,
      async (documents) => (await documents.deleteMany({ alive: false, position: { $lte: upTo } })).deletedCount,
    )
  }

  async collections(): Promise<readonly CollectionState[]> {
    return this.mongo.runLong(async (db) => {
      const all = await collectionsOf(db).find().sort({ _id: 1 }).toArray()
      return all.map(({ _id: name, checkpoint }) => ({ name, checkpoint: checkpoint ?? null }))
    })
  }

  close(): Promise<void> {
    return this.mongo.close()
  }

  /** Asks the server once. */
  async #limitOf(db: Db): Promise<number> {
    this.#updatesPerCommand ??= updatesPerCommandOf(await db.command({ buildInfo: 1 }))
    return this.#updatesPerCommand
  }

  #in<T>(collection: string, work: Work<T>): Promise<T> {
    return this.mongo.run((db) => this.#known(collection, work, db))
  }

  /** For background work. */
  #inLong<T>(collection: string, work: Work<T>): Promise<T> {
    return this.mongo.runLong((db) => this.#known(collection, work, db))
  }

  /** @throws Error for a collection that was never ensured, or was dropped */
  async #known<T>(collection: string, work: Work<T>, db: Db): Promise<T> {
    if (!this.#seen.has(collection)) {
      if (!(await collectionsOf(db).findOne({ _id: collection }))) throw unknown(collection)
      this.#seen.add(collection)
    }
    return work(documentsOf(db, collection), db)
  }
}

const documentsOf = (db: Db, collection: string) => db.collection<Stored>(`c_${collection}`)
const collectionsOf = (db: Db) => db.collection<CollectionRecord>('read_collections')
const viewsOf = (db: Db) => db.collection<ViewRecord>('read_views')
const unknown = (collection: string) => new Error(`There is no collection ${JSON.stringify(collection)}`)

function passOverDuplicate(error: unknown): void {
  if (!isDuplicate(error)) throw error
}

function noneYet(error: unknown): [] {
  if (error instanceof MongoServerError && error.codeName === 'NamespaceNotFound') return []
  throw error
}

/** @param buildInfo the server's reply; FerretDB names its own version beside MongoDB's */
export function updatesPerCommandOf(buildInfo: Readonly<Record<string, unknown>>): number {
  return /^v?1\./.test(String(buildInfo['ferretdbVersion'] ?? '')) ? updatesPerCommandOfFerretDb1 : updatesPerCommand
}

/** Sorted by id: two batches that write the same documents in one order wait for each other, and never deadlock. */
function newestOfEach(writes: readonly Write[]): readonly Write[] {
  const newest = new Map<string, Write>()
  for (const write of writes) {
    const other = newest.get(write.id)
    if (!other || other.position < write.position) newest.set(write.id, write)
  }
  return [...newest.values()].sort((one, other) => (one.id < other.id ? -1 : 1))
}

/**
 * Writes each document where it is newer than the stored one. A conflict with another process's insertion decides
 * nothing, because the stored one may be older than ours: the positions are read again, and the newer writes retried.
 */
async function writeNewer(
  documents: Collection<Stored>,
  writes: readonly Write[],
  updatesPerCommand: number,
): Promise<void> {
  for (let round = 0; round < maxRounds; round++) {
    const there = await positionsOf(documents, writes)
    const newer = writes.filter(({ id, position }) => (there.get(toKey(id)) ?? '') < position)
    const [fresh, known] = [
      newer.filter(({ id }) => !there.has(toKey(id))),
      newer.filter(({ id }) => there.has(toKey(id))),
    ]
    for (let start = 0; start < known.length; start += updatesPerCommand) {
      await documents.bulkWrite(known.slice(start, start + updatesPerCommand).map(replacement), { ordered: false })
    }
    if (fresh.length === 0) return
    try {
      await documents.insertMany(
        fresh.map(({ id, position, doc }) => ({ _id: toKey(id), position, ...fieldsOf(doc) })),
        { ordered: false },
      )
      return
    } catch (error) {
      if (!isDuplicate(error)) throw error
    }
  }
  throw new Error(`${documents.collectionName}: concurrent writers kept changing the same documents`)
}

async function positionsOf(
  documents: Collection<Stored>,
  writes: readonly Write[],
): Promise<ReadonlyMap<string, Position>> {
  const there = new Map<string, Position>()
  for (let start = 0; start < writes.length; start += idsAQuestion) {
    const ids = writes.slice(start, start + idsAQuestion).map(({ id }) => toKey(id))
    for await (const { _id, position } of byId(documents, ids, { position: 1 })) there.set(_id, position)
  }
  return there
}

/** In the order of the ids: a document that is replaced between two batches of the result stays where it is. */
const byId = (documents: Collection<Stored>, ids: readonly string[], projection: Readonly<Record<string, 1>>) =>
  documents.find({ _id: { $in: [...ids] } }, { projection }).sort({ _id: 1 })

/** Changes nothing when another process has stored a newer document meanwhile. */
const replacement = ({ id, position, doc }: Write): AnyBulkWriteOperation<Stored> => ({
  replaceOne: { filter: { _id: toKey(id), position: { $lt: position } }, replacement: { position, ...fieldsOf(doc) } },
})

function fieldsOf(doc: Document | null): Omit<Stored, '_id' | 'position'> {
  if (doc === null) return { alive: false, doc: null }
  const scalars = Object.entries(doc).flatMap(([name, value]) => {
    if (typeof value === 'string') return [[`f_${name}`, toKey(value)]]
    return typeof value === 'number' || typeof value === 'boolean' ? [[`f_${name}`, value]] : []
  })
  return { alive: true, doc: JSON.stringify(doc), ...Object.fromEntries(scalars) }
}

/**
 * Documents in MongoDB: each as its JSON text, with the queried fields beside it, so that it is returned exactly as
 * written.
 */
import type { Collection, Db } from 'mongodb'
import type { Position } from '../../domain/core/event.ts'
import { wordsOf } from '../../domain/core/words.ts'
import { fromCursor, toCursor } from './cursor.ts'
import {
  advance,
  collectionsOf,
  collectionStates,
  documentsOf,
  passOverDuplicate,
  remove,
  removeRetired,
  retire,
  sweep,
  unknown,
  viewsOf,
} from './mongodb-collections.ts'
import { counting, pages, stored, type Stored } from './mongodb-query.ts'
import { createMissing } from './mongodb-indexes.ts'
import { toKey, type MongoConnection } from './mongodb-connection.ts'
import type {
  CollectionState,
  CollectionWrite,
  Document,
  Indexes,
  Kept,
  Page,
  Query,
  ReadStore,
  Where,
  WordScope,
  Write,
} from './port.ts'
import { byId, idsAQuestion, newestOfEach, updatesPerCommandOf, writeNewer } from './mongodb-writes.ts'
import { maxDocuments } from './sql.ts'
import { scopeOf } from './words.ts'

/** Processes look for a switched view each second; the rest is for reads in progress, and for paused processes. */
const retiredForMs = 60_000

type Work<T> = (documents: Collection<Stored>, db: Db) => Promise<T>

export function openMongoReadStore(connection: MongoConnection): ReadStore {
  return new MongoReadStore(connection)
}

class MongoReadStore implements ReadStore {
  readonly blocksWhileIndexing = false
  readonly maxWritesAtOnce = 1_000
  /** The known collections, each with its scope of words. */
  readonly #seen = new Map<string, WordScope>()
  #updatesPerCommand: number | null = null
  constructor(private readonly mongo: MongoConnection) {}

  async ensure(collection: string, indexes: Indexes, wordScope: WordScope = null): Promise<void> {
    if (!/^[a-z][a-z0-9_]*$/.test(collection)) throw new TypeError(`Not a collection: ${JSON.stringify(collection)}`)
    await this.mongo.runLong(async (db) => {
      const documents = documentsOf(db, collection)
      // A name used again starts empty.
      if ((await collectionsOf(db).findOne({ _id: collection }))?.retiredAt) await removeRetired(db, collection)
      // Each index starts with `alive`, so that reads skip tombstones, and ends with the id, like every sort order.
      const keys = [[], ...indexes].map((fields): Record<string, 1> =>
        Object.fromEntries([['alive', 1], ...fields.map((field) => [stored(field), 1]), ['_id', 1]]),
      )
      if (wordScope !== null) keys.push({ alive: 1, [stored(wordScope)]: 1, words: 1, _id: 1 })
      await createMissing(
        documents,
        [...keys, { alive: 1, position: 1 } as const].map((key) => ({ key })),
      )
      await collectionsOf(db)
        .updateOne(
          { _id: collection },
          { $set: { ensured: true, ...(wordScope === null ? {} : { wordScope }) } },
          { upsert: true },
        )
        .catch(passOverDuplicate)
    })
    this.#seen.set(collection, wordScope)
  }

  async get(collection: string, id: string): Promise<Document | null> {
    return this.#in(collection, async (documents, db) => {
      const found = await documents.findOne({ _id: toKey(id) }, { projection: { doc: 1 } })
      if (!found) await this.#mustBeInUse(collection, db)
      return typeof found?.doc === 'string' ? JSON.parse(found.doc) : null
    })
  }

  async getMany(collection: string, ids: readonly string[]): Promise<ReadonlyMap<string, Kept>> {
    const names = new Map(ids.map((id) => [toKey(id), id]))
    const keys = [...names.keys()]
    return this.#inLong(collection, async (documents) => {
      const kept = new Map<string, Kept>()
      for (let start = 0; start < keys.length; start += idsAQuestion) {
        const some = byId(documents, keys.slice(start, start + idsAQuestion), { doc: 1, position: 1, words: 1 })
        for await (const { _id, doc, position, words } of some) {
          const whole = doc === null ? null : { ...JSON.parse(doc), ...(words ? { words: words.join(' ') } : {}) }
          kept.set(names.get(_id) ?? _id, { position, doc: whole })
        }
      }
      return kept
    })
  }

  async find(collection: string, query: Query): Promise<Page> {
    const { sort, cursor, limit = maxDocuments } = query
    if (!Number.isInteger(limit) || limit < 1 || limit > maxDocuments) throw new RangeError(`Not a limit: ${limit}`)
    const mark = cursor === undefined ? null : fromCursor(cursor, sort)
    const words = query.words === undefined ? [] : wordsOf(query.words)
    const stretches = pages(query, mark, words)
    return this.#in(collection, async (documents, db) => {
      if (words.length > 0) scopeOf(query, this.#seen.get(collection) ?? null)
      const found: Stored[] = []
      for (const { filter, order } of stretches) {
        found.push(
          ...(await documents
            .find(filter, { projection: { doc: 1 } })
            .sort(order)
            .limit(limit + 1 - found.length)
            .toArray()),
        )
        if (found.length > limit) break
      }
      if (found.length === 0) await this.#mustBeInUse(collection, db)
      const shown = found
        .slice(0, limit)
        .map(({ _id, doc }) => ({ id: _id, doc: JSON.parse(doc ?? 'null') as Document }))
      const after = (index: number) => toCursor(shown[index]?.id ?? '', shown[index]?.doc ?? {}, sort)
      return { items: shown.map(({ doc }) => doc), next: found.length > limit ? after(limit - 1) : null, after }
    })
  }

  async count(collection: string, where: Where = {}): Promise<number> {
    const filter = counting(where)
    const work: Work<number> = async (documents, db) => {
      const counted = await documents.countDocuments(filter)
      if (counted === 0) await this.#mustBeInUse(collection, db)
      return counted
    }
    // Only an operator counts all documents.
    return Object.keys(where).length === 0 ? this.#inLong(collection, work) : this.#in(collection, work)
  }

  async write(collection: string, writes: readonly Write[], checkpoint: Position | null): Promise<void> {
    const [outcome] = await this.writeTogether([{ collection, writes, checkpoint }])
    if (outcome?.status === 'rejected') throw outcome.reason
  }

  async writeTogether(parts: readonly CollectionWrite[]): Promise<readonly PromiseSettledResult<void>[]> {
    const written = await Promise.allSettled(parts.map((part) => this.#writeDocuments(part)))
    const moved = parts.filter(({ checkpoint }, at) => checkpoint !== null && written[at]?.status === 'fulfilled')
    const failures = await this.#moveCheckpoints(moved)
    return written.map((outcome, at) => {
      const reason = failures.get(parts[at]?.collection ?? '')
      return reason === undefined ? outcome : { status: 'rejected', reason }
    })
  }

  async #writeDocuments({ collection, writes }: CollectionWrite): Promise<void> {
    if (writes.length === 0) return
    await this.#inLong(collection, async (documents, db) =>
      writeNewer(documents, newestOfEach(writes), await this.#limitOf(db)),
    )
  }

  /** In one command. Returns an error for each collection that it is too late for. */
  async #moveCheckpoints(parts: readonly CollectionWrite[]): Promise<ReadonlyMap<string, unknown>> {
    if (parts.length === 0) return new Map()
    try {
      return await this.mongo.runLong(async (db) => {
        const { matchedCount } = await collectionsOf(db).bulkWrite(parts.map(advance), { ordered: false })
        return matchedCount === parts.length ? new Map() : this.#gone(parts, db)
      })
    } catch (reason) {
      return new Map(parts.map(({ collection }) => [collection, reason]))
    }
  }

  /** Tells collections that another process dropped or retired from those whose checkpoint was further already. */
  async #gone(parts: readonly CollectionWrite[], db: Db): Promise<ReadonlyMap<string, unknown>> {
    const failures = new Map<string, unknown>()
    const names = parts.map(({ collection }) => collection)
    const records = await collectionsOf(db)
      .find({ _id: { $in: names } })
      .toArray()
    for (const { collection, writes } of parts) {
      const record = records.find(({ _id }) => _id === collection)
      if (record && !record.retiredAt) continue
      this.#seen.delete(collection)
      // This write must not restore a collection that was dropped meanwhile.
      if (!record && writes.length > 0) await documentsOf(db, collection).drop()
      failures.set(collection, unknown(collection))
    }
    return failures
  }

  async checkpoint(collection: string): Promise<Position | null> {
    return this.mongo.run(async (db) => (await collectionsOf(db).findOne({ _id: collection }))?.checkpoint ?? null)
  }

  async live(view: string): Promise<string | null> {
    return this.mongo.run(async (db) => (await viewsOf(db).findOne({ _id: view }))?.collection ?? null)
  }

  async checkpoints(collections: readonly string[]): Promise<ReadonlyMap<string, Position | null>> {
    return this.mongo.run(async (db) => {
      const found = await collectionsOf(db)
        .find({ _id: { $in: [...collections] } })
        .toArray()
      return new Map(found.flatMap(({ _id, checkpoint = null, retiredAt }) => (retiredAt ? [] : [[_id, checkpoint]])))
    })
  }

  async liveCollections(): Promise<ReadonlyMap<string, string>> {
    return this.mongo.run(async (db) => {
      const found = await viewsOf(db).find().toArray()
      return new Map(found.map(({ _id, collection }) => [_id, collection]))
    })
  }

  async swap(view: string, collection: string): Promise<void> {
    await this.mongo.run(async (db) => {
      await this.#mustBeInUse(collection, db)
      await viewsOf(db).updateOne({ _id: view }, { $set: { collection } }, { upsert: true })
    })
  }

  async drop(collection: string): Promise<void> {
    await this.mongo.runLong((db) => remove(db, collection))
    this.#seen.delete(collection)
  }

  async retire(collection: string): Promise<void> {
    await this.mongo.runLong((db) => retire(db, collection))
  }

  async sweep(graceMs = retiredForMs): Promise<readonly string[]> {
    const removed = await this.mongo.runLong((db) => sweep(db, graceMs))
    for (const name of removed) this.#seen.delete(name)
    return removed
  }

  async prune(collection: string, upTo: Position): Promise<number> {
    return this.#inLong(
      collection,
      async (documents) => (await documents.deleteMany({ alive: false, position: { $lte: upTo } })).deletedCount,
    )
  }

  collections(): Promise<readonly CollectionState[]> {
    return this.mongo.runLong(collectionStates)
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
      const record = await collectionsOf(db).findOne({ _id: collection })
      if (!record) throw unknown(collection)
      this.#seen.set(collection, record.wordScope ?? null)
    }
    return work(documentsOf(db, collection), db)
  }

  /**
   * A collection that another process drops is empty: an empty answer proves nothing until it is known to be in use.
   * @throws Error for a collection that was retired or dropped
   */
  async #mustBeInUse(collection: string, db: Db): Promise<void> {
    const record = await collectionsOf(db).findOne({ _id: collection })
    if (record && !record.retiredAt) return
    this.#seen.delete(collection)
    throw unknown(collection)
  }
}

/** What MongoDB keeps about the collections of views: checkpoints, which one a view is, and which are retired. */
import type { AnyBulkWriteOperation, Db } from 'mongodb'
import type { Position } from '../../domain/core/event.ts'
import { isDuplicate } from './mongodb-connection.ts'
import { emptyIfMissing } from './mongodb-indexes.ts'
import type { Stored } from './mongodb-query.ts'
import type { CollectionState, CollectionWrite } from './port.ts'

interface CollectionRecord {
  readonly _id: string
  /** Absent before the first batch. */
  readonly checkpoint?: Position
  readonly ensured: true
  /** Absent without an index of words. */
  readonly wordScope?: string
  /** By the server's clock. Absent while the collection serves reads, or is being built. */
  readonly retiredAt?: Date
}
interface ViewRecord {
  readonly _id: string
  readonly collection: string
}

/** Its record stays, as that of a retired one, until its documents are gone: a sweep ends what was cut short. */
export async function remove(db: Db, collection: string): Promise<void> {
  await retire(db, collection)
  await removeRetired(db, collection)
}

export async function removeRetired(db: Db, collection: string): Promise<void> {
  const dropped = () => documentsOf(db, collection).drop().catch(emptyIfMissing)
  await dropped()
  const { deletedCount } = await collectionsOf(db).deleteOne({ _id: collection, retiredAt: { $exists: true } })
  // Another process may have written some again, before its checkpoint was refused.
  if (deletedCount > 0) await dropped()
}

export async function retire(db: Db, collection: string): Promise<void> {
  await collectionsOf(db).updateOne(
    { _id: collection, retiredAt: { $exists: false } },
    { $currentDate: { retiredAt: true } },
  )
}

/** Removes collections that were retired so long ago. Returns their names. */
export async function sweep(db: Db, graceMs: number): Promise<readonly string[]> {
  const retired = await collectionsOf(db)
    .find({ retiredAt: { $exists: true } })
    .toArray()
  if (retired.length === 0) return []
  // The server's clock, which set `retiredAt` too: those of the processes may differ.
  const { localTime } = await db.command({ hello: 1 })
  const over = retired.filter(({ retiredAt }) => Number(localTime) - Number(retiredAt) >= graceMs)
  for (const { _id } of over) await removeRetired(db, _id)
  return over.map(({ _id }) => _id)
}

/** The collections in use, by name. */
export async function collectionStates(db: Db): Promise<readonly CollectionState[]> {
  const all = await collectionsOf(db).find().sort({ _id: 1 }).toArray()
  return all.flatMap(({ _id: name, checkpoint = null, retiredAt }) => (retiredAt ? [] : { name, checkpoint }))
}

/** A checkpoint moves forward only, and not of a retired collection. */
export const advance = ({ collection, checkpoint }: CollectionWrite): AnyBulkWriteOperation<CollectionRecord> => ({
  updateOne: {
    filter: {
      _id: collection,
      retiredAt: { $exists: false },
      $or: [{ checkpoint: { $exists: false } }, { checkpoint: { $lt: checkpoint ?? '' } }],
    },
    update: { $set: { checkpoint: checkpoint ?? '' } },
  },
})

export const documentsOf = (db: Db, collection: string) => db.collection<Stored>(`c_${collection}`)
export const collectionsOf = (db: Db) => db.collection<CollectionRecord>('read_collections')
export const viewsOf = (db: Db) => db.collection<ViewRecord>('read_views')
export const unknown = (collection: string) => new Error(`There is no collection ${JSON.stringify(collection)}`)

export function passOverDuplicate(error: unknown): void {
  if (!isDuplicate(error)) throw error
}

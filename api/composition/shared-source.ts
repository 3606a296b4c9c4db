/** Opens EventStoreDB and MongoDB to back them up. */
import { openEventStoreDB } from '../../domain/event-store/eventstoredb.ts'
import { connectMongo } from '../../projections/read-store/mongodb-connection.ts'
import { imagesIn, openMongoMedia } from '../features/media/mongodb.ts'
import type { SharedStores } from '../operations/backup/copy-stores.ts'
import { openMongoRecordSource } from '../records/mongodb-source.ts'

export function openSharedSource(eventStoreUrl: string, mongoUrl: string): SharedStores & { close(): Promise<void> } {
  const events = openEventStoreDB(eventStoreUrl)
  const mongo = connectMongo(mongoUrl)
  return {
    events,
    records: () => openMongoRecordSource(mongo),
    media: openMongoMedia(mongo),
    images: () => imagesIn(mongo),
    async close() {
      await mongo.close()
      await events.close()
    },
  }
}

/** EventStoreDB's and MongoDB's protocols behind a test's server, where `TEST_SHAPE=distributed` asks for them. */
import { startEventStore, type TestEventStore } from '../../domain/event-store/testing/server.ts'
import { dropDatabase, newDatabase } from '../../projections/read-store/mongodb-testing.ts'
import { openServers } from '../distributed.ts'
import type { Stores } from '../stores.ts'

const isAsked = process.env['TEST_SHAPE'] === 'distributed'

interface Servers {
  readonly events: TestEventStore
  readonly database: string
}
/** A server that starts again on the same folder finds its data again. */
const byFolder = new Map<string, Promise<Servers>>()

/** Null: files in the folder, as the embedded shape has them. */
export const storesFor = (dataDir: string): (() => Promise<Stores>) | null =>
  isAsked
    ? async () => {
        const starting = byFolder.get(dataDir) ?? startEventStore().then((events) => ({ events, database: newDatabase() }))
        byFolder.set(dataDir, starting)
        const { events, database } = await starting
        return openServers({ EVENTSTORE_URL: events.url, MONGODB_URL: database })
      }
    : null

export async function forget(dataDir: string): Promise<void> {
  const servers = await byFolder.get(dataDir)
  byFolder.delete(dataDir)
  if (!servers) return
  await servers.events.close()
  await dropDatabase(servers.database)
}

/**
 * EventStoreDB's and MongoDB's protocols behind a test's server, where `TEST_SHAPE=distributed` asks for them.
 * Each server has a log of its own, or its own part of the one at `TEST_EVENTSTORE_URL`.
 */
import { randomUUID } from 'node:crypto'
import type { Position } from '../../domain/core/event.ts'
import { openEventStoreDB } from '../../domain/event-store/eventstoredb.ts'
import { startEventStore, type TestEventStore } from '../../domain/event-store/test/fake-eventstoredb/server.ts'
import { dropDatabase, newDatabase } from '../../projections/read-store/test/mongodb.ts'
import { openServers } from '../composition/distributed.ts'
import type { Stores } from '../runtime/stores.ts'
import { namespacedEventStore } from './namespaced-event-store.ts'

const isAsked = process.env['TEST_SHAPE'] === 'distributed'

const shared = process.env['TEST_EVENTSTORE_URL']

interface Servers {
  /** Null: on the shared one. */
  readonly events: TestEventStore | null
  readonly database: string
  readonly part: string
  /** Where the shared log ended before. */
  readonly begins: Position | null
}

const started = async (): Promise<Servers> => ({
  events: shared === undefined ? await startEventStore() : null,
  database: newDatabase(),
  ...(shared === undefined ? { part: '', begins: null } : await ownPart(shared)),
})

async function endOf(url: string): Promise<Position | null> {
  const events = openEventStoreDB(url)
  try {
    return await events.end()
  } finally {
    await events.close()
  }
}

/** A server that starts again on the same folder finds its data again. */
const byFolder = new Map<string, Promise<Servers>>()

/** A test run's own part of the shared log. */
export async function ownPart(url: string): Promise<{ readonly part: string; readonly begins: Position | null }> {
  return { part: `test-${randomUUID()}`, begins: await endOf(url) }
}

/** Null: files in the folder, as the embedded shape has them. */
export const storesFor = (dataDir: string): (() => Promise<Stores>) | null =>
  isAsked
    ? async () => {
        const starting = byFolder.get(dataDir) ?? started()
        byFolder.set(dataDir, starting)
        const { events, database, part, begins } = await starting
        const stores = await openServers({ EVENTSTORE_URL: events?.url ?? shared, MONGODB_URL: database })
        return events ? stores : { ...stores, events: namespacedEventStore(stores.events, part, begins) }
      }
    : null

export async function forget(dataDir: string): Promise<void> {
  const servers = await byFolder.get(dataDir)
  byFolder.delete(dataDir)
  if (!servers) return
  await servers.events?.close()
  await dropDatabase(servers.database)
}

/** Stores of the distributed shape for one test each, what is in them, and command lines that are killed. */
import { spawn, type ChildProcess } from 'node:child_process'
import { startEventStore, type TestEventStore } from '../../../../domain/event-store/test/fake-eventstoredb/server.ts'
import { openEventStoreDB } from '../../../../domain/event-store/eventstoredb.ts'
import type { EventStore } from '../../../../domain/event-store/port.ts'
import { connectMongo } from '../../../../projections/read-store/mongodb-connection.ts'
import { dropDatabase, newDatabase } from '../../../../projections/read-store/test/mongodb.ts'
import { openEmbeddedOrigin } from '../../../composition/embedded-origin.ts'
import { openSharedSource } from '../../../composition/shared-source.ts'
import type { MediaStore } from '../../../features/media/port.ts'
import type { RecordSource } from '../../../records/source.ts'
import { digestOf, digestsOfImages, digestsOfRecords, digestsOfViews, linesOfLog } from './digests.ts'
import { compiled } from '../../../../domain/test/compiled.ts'

export interface SharedTestStores {
  readonly events: TestEventStore
  readonly database: string
  readonly env: { readonly EVENTSTORE_URL: string; readonly MONGODB_URL: string }
}

const used: SharedTestStores[] = []

export async function newStores(): Promise<SharedTestStores> {
  const [events, database] = [await startEventStore(), newDatabase()]
  const stores = { events, database, env: { EVENTSTORE_URL: events.url, MONGODB_URL: database } }
  used.push(stores)
  return stores
}

/** Of all that `newStores` has made. */
export async function removeStores(): Promise<void> {
  for (const { events, database } of used.splice(0)) {
    await events.close()
    await dropDatabase(database)
  }
}

export async function isEmpty({ events, database }: SharedTestStores): Promise<boolean> {
  const mongo = connectMongo(database)
  const collections = await mongo.run((db) => db.listCollections().toArray())
  await mongo.close()
  return events.log.entries.length === 0 && collections.length === 0
}

interface Parts {
  readonly events: EventStore
  readonly records: RecordSource
  readonly media: Pick<MediaStore, 'read'>
  readonly images: Iterable<string> | AsyncIterable<string>
}

const digests = async ({ events, records, media, images }: Parts) => ({
  log: digestOf(await linesOfLog(events)),
  records: await digestsOfRecords(records),
  images: await digestsOfImages(media, images),
  views: await digestsOfViews(events),
})

/** Of stores, or of a data folder. */
export async function digestsIn(of: SharedTestStores | string): Promise<Awaited<ReturnType<typeof digests>>> {
  if (typeof of === 'string') {
    const origin = await openEmbeddedOrigin(of)
    return digests(origin).finally(() => origin.close())
  }
  const { EVENTSTORE_URL, MONGODB_URL } = of.env
  const stores = openSharedSource(EVENTSTORE_URL, MONGODB_URL)
  const events = openEventStoreDB(EVENTSTORE_URL)
  try {
    return await digests({ ...stores, events, records: await stores.records(), images: stores.images() })
  } finally {
    await events.close()
    await stores.close()
  }
}

/** Runs a command line in a process of its own, to be killed. Its code is null then. */
export function start(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): { readonly child: ChildProcess; readonly ended: Promise<{ readonly code: number | null }> } {
  const child = spawn(process.execPath, [compiled('api/bin/command.ts'), ...args], {
    env: { ...process.env, ...env },
    stdio: 'ignore',
  })
  return { child, ended: new Promise((resolve) => child.on('close', (code) => resolve({ code }))) }
}

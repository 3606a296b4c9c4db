/** The contents of the tests' EventStoreDB and of a MongoDB as lines of text, and back: every event, every document. */
import { BSON, type Document } from 'mongodb'
import type { Entry, Log } from '../../../domain/event-store/test/fake-eventstoredb/log.ts'
import { connectMongo } from '../../../projections/read-store/mongodb-connection.ts'

/** One event a line, the server's own ones too, each at its position: read models name positions. */
export const eventLines = (log: Log): string =>
  log.all
    .map(({ data, metadata, ...rest }) =>
      JSON.stringify({ ...rest, data: Buffer.from(data).toString(), metadata: Buffer.from(metadata).toString() }),
    )
    .join('\n')

export function restoreEvents(log: Log, lines: string): void {
  const entries = lines.split('\n').map((line) => {
    const { data, metadata, ...rest } = JSON.parse(line) as Entry & { readonly data: string; readonly metadata: string }
    return { ...rest, data: Buffer.from(data), metadata: Buffer.from(metadata) }
  })
  log.restore(entries)
}

interface Line {
  readonly collection: string
  readonly document: Document
}

/** One document a line, as extended JSON, which keeps bytes and 64-bit numbers. */
export async function documentLines(address: string): Promise<string> {
  const mongo = connectMongo(address)
  const lines = await mongo.runLong(async (db) => {
    const found: string[] = []
    const collections = await db.listCollections().toArray()
    for (const collection of collections.map(({ name }) => name).sort())
      for await (const document of db.collection(collection).find().sort({ _id: 1 }))
        found.push(BSON.EJSON.stringify({ collection, document } satisfies Line, { relaxed: false }))
    return found
  })
  await mongo.close()
  return lines.join('\n')
}

/** The processes make their indexes at their start. */
export async function restoreDocuments(address: string, lines: string): Promise<void> {
  const byCollection = new Map<string, Document[]>()
  for (const line of lines.split('\n')) {
    const { collection, document } = BSON.EJSON.parse(line, { relaxed: false }) as Line
    byCollection.set(collection, [...(byCollection.get(collection) ?? []), document])
  }
  const mongo = connectMongo(address)
  await mongo.runLong(async (db) => {
    for (const [name, documents] of byCollection) await db.collection(name).insertMany(documents)
  })
  await mongo.close()
}

/** The indexes of a MongoDB collection. */
import { MongoServerError, type Collection, type Document } from 'mongodb'

/** https://github.com/mongodb/mongo/blob/r8.0.4/src/mongo/base/error_codes.yml */
const namespaceNotFound = 26

export interface Index {
  readonly key: Readonly<Record<string, 1>>
  readonly unique?: true
}

/**
 * Costs one command where all of them exist, as at every start but the first, and one for each unique index: the list
 * has those that are still being built, and `createIndex` waits for them.
 * https://www.mongodb.com/docs/manual/reference/command/listIndexes/ (8.0)
 */
export async function createMissing<T extends Document>(
  collection: Collection<T>,
  indexes: readonly Index[],
): Promise<void> {
  const there = new Set((await collection.indexes().catch(emptyIfMissing)).map(textOf))
  // One by one, and only the missing ones: FerretDB fails on a mixed list.
  for (const index of indexes) {
    if (!index.unique && there.has(textOf(index))) continue
    await collection.createIndex({ ...index.key }, index.unique ? { unique: true } : {})
  }
}

const textOf = ({ key }: { readonly key: object }) => JSON.stringify(key)

/** For commands that fail where the collection does not exist. */
export function emptyIfMissing(error: unknown): [] {
  if (error instanceof MongoServerError && error.code === namespaceNotFound) return []
  throw error
}

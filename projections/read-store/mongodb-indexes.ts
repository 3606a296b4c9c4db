/** The indexes of a MongoDB collection. */
import { MongoServerError, type Collection, type Document } from 'mongodb'

export interface Index {
  readonly key: Readonly<Record<string, 1>>
  readonly unique?: true
}

/** Costs one command where all of them exist, as at every start but the first. */
export async function createMissing<T extends Document>(
  collection: Collection<T>,
  indexes: readonly Index[],
): Promise<void> {
  const there = new Set((await collection.indexes().catch(noneYet)).map(textOf))
  // One by one, and only the missing ones: FerretDB fails on a mixed list.
  for (const index of indexes) {
    if (there.has(textOf(index))) continue
    await collection.createIndex({ ...index.key }, index.unique ? { unique: true } : {})
  }
}

const textOf = ({ key, unique }: { readonly key: object; readonly unique?: boolean | undefined }) =>
  JSON.stringify([key, unique === true])

export function noneYet(error: unknown): [] {
  if (error instanceof MongoServerError && error.codeName === 'NamespaceNotFound') return []
  throw error
}

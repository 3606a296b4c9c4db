/** Writes a batch of documents to MongoDB, each where it is newer than the stored one. */
import type { AnyBulkWriteOperation, Collection } from 'mongodb'
import type { Position } from '../../domain/core/event.ts'
import { isDuplicate, toKey } from './mongodb-connection.ts'
import type { Stored } from './mongodb-query.ts'
import type { Document, Write } from './port.ts'
import { withoutWords } from './words.ts'

/** Retries of a batch while other processes write the same new documents. */
const maxRounds = 20
export const idsAQuestion = 5_000
/** Up to here a batch is sent without a look at what is stored: a projector that follows live is rarely behind it. */
const fewWrites = 100
const updatesPerCommand = 1_000
/** FerretDB 1 holds one cursor per update open until the command ends, and has a hundred for all clients. */
const updatesPerCommandOfFerretDb1 = 20

/** @param buildInfo the server's reply; FerretDB names its own version beside MongoDB's */
export function updatesPerCommandOf(buildInfo: Readonly<Record<string, unknown>>): number {
  return /^v?1\./.test(String(buildInfo['ferretdbVersion'] ?? '')) ? updatesPerCommandOfFerretDb1 : updatesPerCommand
}

/** Sorted by id: two batches that write the same documents in one order wait for each other, and never deadlock. */
export function newestOfEach(writes: readonly Write[]): readonly Write[] {
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
export async function writeNewer(
  documents: Collection<Stored>,
  writes: readonly Write[],
  updatesPerCommand: number,
): Promise<void> {
  if (writes.length <= fewWrites && (await areSentBlindly(documents, writes, updatesPerCommand))) return
  for (let round = 0; round < maxRounds; round++) {
    const there = await positionsOf(documents, writes)
    const newer = writes.filter(({ id, position }) => (there.get(toKey(id)) ?? '') < position)
    const [fresh, known] = [
      newer.filter(({ id }) => !there.has(toKey(id))),
      newer.filter(({ id }) => there.has(toKey(id))),
    ]
    for (let start = 0; start < known.length; start += updatesPerCommand) {
      await documents.bulkWrite(
        known.slice(start, start + updatesPerCommand).map((write) => replacement(write, false)),
        { ordered: false },
      )
    }
    if (fresh.length === 0) return
    try {
      await documents.insertMany(fresh.map(insertion), { ordered: false })
      return
    } catch (error) {
      if (!isDuplicate(error)) throw error
    }
  }
  throw new Error(`${documents.collectionName}: concurrent writers kept changing the same documents`)
}

/**
 * Inserts what the writer takes for new, and upserts the rest. False when some document is stored already, at the same
 * or a later position for an upsert: the server then tries to insert it again. Others of the batch may be missing.
 */
async function areSentBlindly(
  documents: Collection<Stored>,
  writes: readonly Write[],
  updatesPerCommand: number,
): Promise<boolean> {
  const [fresh, known] = [writes.filter(({ isNew }) => isNew), writes.filter(({ isNew }) => !isNew)]
  try {
    if (fresh.length > 0) await documents.insertMany(fresh.map(insertion), { ordered: false })
    for (let start = 0; start < known.length; start += updatesPerCommand) {
      const upserts = known.slice(start, start + updatesPerCommand).map((write) => replacement(write, true))
      await documents.bulkWrite(upserts, { ordered: false })
    }
    return true
  } catch (error) {
    if (isDuplicate(error)) return false
    throw error
  }
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
export const byId = (documents: Collection<Stored>, ids: readonly string[], projection: Readonly<Record<string, 1>>) =>
  documents.find({ _id: { $in: [...ids] } }, { projection }).sort({ _id: 1 })

const insertion = ({ id, position, doc }: Write): Stored => ({ _id: toKey(id), position, ...fieldsOf(doc) })

/** Changes nothing when another process has stored a newer document meanwhile. */
const replacement = ({ id, position, doc }: Write, upsert: boolean): AnyBulkWriteOperation<Stored> => ({
  replaceOne: {
    filter: { _id: toKey(id), position: { $lt: position } },
    replacement: { position, ...fieldsOf(doc) },
    upsert,
  },
})

function fieldsOf(whole: Document | null): Omit<Stored, '_id' | 'position'> {
  if (whole === null) return { alive: false, doc: null }
  const { doc, words } = withoutWords(whole)
  const scalars = Object.entries(doc).flatMap(([name, value]) => {
    if (typeof value === 'string') return [[`f_${name}`, toKey(value)]]
    return typeof value === 'number' || typeof value === 'boolean' ? [[`f_${name}`, value]] : []
  })
  return {
    alive: true,
    doc: JSON.stringify(doc),
    ...(words === null ? {} : { words: words.split(' ') }),
    ...Object.fromEntries(scalars),
  }
}

/**
 * Stores images in MongoDB: one document per image, with its bytes in parts, so that an image can be sent without being
 * held in memory. Earlier versions stored the bytes in the image's document; they are split when they are first sent.
 */
import { Readable } from 'node:stream'
import { Binary, type Db } from 'mongodb'
import PQueue from 'p-queue'
import { isDuplicate, type MongoConnection } from '../../../projections/read-store/mongodb-connection.ts'
import { factsOf } from './image.ts'
import { isHash, NotAnImage, type ByteSpan, type ImageType, type MediaStore, type StoredImage } from './port.ts'

interface Stored {
  /** The SHA-256 of the bytes. */
  readonly _id: string
  readonly type: ImageType
  readonly size: number
  readonly width: number
  readonly height: number
  /** Absent when the bytes are in parts. */
  readonly bytes?: Binary
}
interface Part {
  /** The image's hash and the part's number: `<hash>/0000`. */
  readonly _id: string
  readonly bytes: Binary
}

const partBytes = 256 * 1024
const hashesAtOnce = 1_000
const maxVerified = 10_000
/** The limit on images held in memory while they are verified or split. */
const wholeAtOnce = 2

const partId = (hash: string, index: number) => `${hash}/${String(index).padStart(4, '0')}`
const partsOf = (size: number) => Math.ceil(size / partBytes)

export function openMongoMedia(connection: MongoConnection): MediaStore {
  const images = (db: Db) => db.collection<Stored>('media')
  const parts = (db: Db) => db.collection<Part>('media_parts')
  /** Hashes verified by this process. */
  const verified = new Set<string>()
  const whole = new PQueue({ concurrency: wholeAtOnce })

  async function putParts(hash: string, bytes: Uint8Array): Promise<void> {
    for (let index = 0; index < partsOf(bytes.length); index++) {
      const part = {
        _id: partId(hash, index),
        bytes: new Binary(bytes.subarray(index * partBytes, (index + 1) * partBytes)),
      }
      await connection.runLong((db) =>
        parts(db).replaceOne({ _id: part._id }, { bytes: part.bytes }, { upsert: true }).catch(ignoreDuplicate),
      )
    }
  }

  async function part(hash: string, index: number): Promise<Uint8Array | null> {
    const found = await connection.runLong((db) => parts(db).findOne({ _id: partId(hash, index) }))
    return found && found.bytes.value()
  }

  /** Reads the bytes and verifies their hash; null when they don't match. */
  async function load(
    hash: string,
  ): Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly isSplit: boolean } | null> {
    if (!isHash(hash)) return null
    const found = await connection.runLong((db) => images(db).findOne({ _id: hash }))
    if (!found) return null
    const all: Uint8Array[] = found.bytes ? [found.bytes.value()] : []
    for (let index = 0; !found.bytes && index < partsOf(found.size); index++)
      all.push((await part(hash, index)) ?? new Uint8Array())
    const bytes = new Uint8Array(Buffer.concat(all))
    return factsOf(bytes)?.hash === hash ? { bytes, isSplit: !found.bytes } : null
  }

  /** Verifies the hash, once per process, and splits the bytes of an earlier version. */
  async function isWhole(hash: string): Promise<boolean> {
    if (verified.has(hash)) return true
    return whole.add(async () => {
      const found = await load(hash)
      if (!found) return false
      if (!found.isSplit) {
        await putParts(hash, found.bytes)
        await connection.runLong((db) => images(db).updateOne({ _id: hash }, { $unset: { bytes: true } }))
      }
      if (verified.size >= maxVerified) verified.clear()
      verified.add(hash)
      return true
    })
  }

  async function* slices(hash: string, { start, end }: ByteSpan): AsyncGenerator<Uint8Array> {
    for (let index = Math.floor(start / partBytes); index * partBytes <= end; index++) {
      const bytes = await part(hash, index)
      if (!bytes) throw new Error(`A part of the image ${hash} is missing`)
      yield bytes.subarray(Math.max(0, start - index * partBytes), Math.min(bytes.length, end + 1 - index * partBytes))
    }
  }

  return {
    async put(bytes) {
      const image = factsOf(bytes)
      if (!image) throw new NotAnImage()
      const { hash, ...facts } = image
      if (await connection.run((db) => images(db).findOne({ _id: hash }, { projection: { _id: 1 } }))) return image
      // The parts first, so that every described image is complete.
      await putParts(hash, bytes)
      await connection.runLong(
        async (db) =>
          void (await images(db)
            .insertOne({ _id: hash, ...facts })
            .catch(ignoreDuplicate)),
      )
      return image
    },
    async describe(hash): Promise<StoredImage | null> {
      if (!isHash(hash)) return null
      const found = await connection.run((db) => images(db).findOne({ _id: hash }, { projection: { bytes: 0 } }))
      if (!found) return null
      const { type, size, width, height } = found
      return { hash, type, size, width, height }
    },
    read: async (hash) => (await load(hash))?.bytes ?? null,
    stream: async (hash, span) => (isHash(hash) && (await isWhole(hash)) ? Readable.from(slices(hash, span)) : null),
    close: () => connection.close(),
  }
}

/** The hashes of all images, in pages, while others may be stored. */
export async function* imagesIn(connection: MongoConnection): AsyncGenerator<string> {
  for (let after = ''; ;) {
    const found = await connection.runLong((db) =>
      db
        .collection<Stored>('media')
        .find({ _id: { $gt: after } }, { projection: { _id: 1 } })
        .sort({ _id: 1 })
        .limit(hashesAtOnce)
        .toArray(),
    )
    for (const { _id } of found) yield _id
    const last = found.at(-1)
    if (!last) return
    after = last._id
  }
}

function ignoreDuplicate(error: unknown): void {
  if (!isDuplicate(error)) throw error
}

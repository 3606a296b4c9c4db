/** Images in MongoDB, one document each: the largest that is taken fits into one. */
import { Binary, type Db } from 'mongodb'
import { isDuplicate, type MongoConnection } from '../../projections/read-store/mongodb-connection.ts'
import { factsOf } from './image.ts'
import { isHash, NotAnImage, type ImageType, type MediaStore, type StoredImage } from './port.ts'

interface Stored {
  /** The SHA-256 of the bytes. */
  readonly _id: string
  readonly type: ImageType
  readonly size: number
  readonly width: number
  readonly height: number
  readonly bytes: Binary
}

export function openMongoMedia(connection: MongoConnection): MediaStore {
  const images = <T>(work: (all: ReturnType<typeof collection>) => Promise<T>) => connection.run((db) => work(collection(db)))
  /** Their bytes may be many. */
  const whole = <T>(work: (all: ReturnType<typeof collection>) => Promise<T>) => connection.runLong((db) => work(collection(db)))
  const collection = (db: Db) => db.collection<Stored>('media')

  return {
    async put(bytes) {
      const image = factsOf(bytes)
      if (!image) throw new NotAnImage()
      const { hash, ...facts } = image
      await whole(async (all) => {
        if (await all.findOne({ _id: hash }, { projection: { _id: 1 } })) return
        await all.insertOne({ _id: hash, ...facts, bytes: new Binary(bytes) }).catch((error: unknown) => {
          if (!isDuplicate(error)) throw error
        })
      })
      return image
    },
    async describe(hash): Promise<StoredImage | null> {
      if (!isHash(hash)) return null
      const found = await images((all) => all.findOne({ _id: hash }, { projection: { bytes: 0 } }))
      if (!found) return null
      const { type, size, width, height } = found
      return { hash, type, size, width, height }
    },
    async read(hash) {
      if (!isHash(hash)) return null
      const found = await whole((all) => all.findOne({ _id: hash }))
      const bytes = found && new Uint8Array(found.bytes.value())
      return bytes && factsOf(bytes)?.hash === hash ? bytes : null
    },
    close: () => connection.close(),
  }
}

import { Binary } from 'mongodb'
import { describe, expect, it } from 'vitest'
import { connectMongo } from '../../../projections/read-store/mongodb-connection.ts'
import { dropDatabase, hasMongo, newDatabase } from '../../../projections/read-store/test/mongodb.ts'
import { openMongoMedia } from './mongodb.ts'
import { mediaContract } from './test/suite.ts'
import { png } from './test/helpers.ts'

const opened = async () => {
  const address = newDatabase()
  let store = openMongoMedia(connectMongo(address))
  return {
    store,
    address,
    reopen: async () => {
      await store.close()
      return (store = openMongoMedia(connectMongo(address)))
    },
    cleanup: async () => {
      await store.close()
      await dropDatabase(address)
    },
  }
}

describe.skipIf(!hasMongo)('A MongoDB image store', () => {
  mediaContract('MongoDB', opened)

  it('never serves a damaged image', async () => {
    const { store, address, cleanup } = await opened()
    const { hash } = await store.put(png(8, 8))
    const other = connectMongo(address)
    await other.run((db) =>
      db
        .collection<{ _id: string }>('media_parts')
        .updateOne({ _id: `${hash}/0000` }, { $set: { bytes: png(8, 8).subarray(0, 40) } }),
    )
    expect(await store.read(hash)).toBeNull()
    expect(await store.stream(hash, { start: 0, end: 9 })).toBeNull()
    await other.close()
    await cleanup()
  })

  it('reads and streams an image of an earlier version, stored in one document', async () => {
    const { store, address, cleanup } = await opened()
    const bytes = png(8, 8)
    const { hash, ...facts } = await store.put(bytes)
    const other = connectMongo(address)
    await other.run(async (db) => {
      await db.collection<{ _id: string }>('media_parts').deleteMany({})
      await db.collection<{ _id: string }>('media').replaceOne({ _id: hash }, { ...facts, bytes: new Binary(bytes) })
    })
    const whole = { start: 0, end: bytes.length - 1 }
    expect(Buffer.from((await store.read(hash)) ?? [])).toEqual(bytes)
    expect(Buffer.concat((await (await store.stream(hash, whole))?.toArray()) ?? [])).toEqual(bytes)
    expect(await other.run((db) => db.collection('media').countDocuments({ bytes: { $exists: true } }))).toBe(0)
    expect(Buffer.from((await store.read(hash)) ?? [])).toEqual(bytes)
    await other.close()
    await cleanup()
  })
})

import { describe, expect, it } from 'vitest'
import { connectMongo } from '../../projections/read-store/mongodb-connection.ts'
import { dropDatabase, hasMongo, newDatabase } from '../../projections/read-store/mongodb-testing.ts'
import { openMongoMedia } from './mongodb.ts'
import { mediaContract } from './suite.ts'
import { png } from './testing.ts'

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

describe.skipIf(!hasMongo)('A MongoDB server', () => {
  mediaContract('MongoDB', opened)

  it('never gives out a damaged image', async () => {
    const { store, address, cleanup } = await opened()
    const { hash } = await store.put(png(8, 8))
    const other = connectMongo(address)
    await other.run((db) => db.collection<{ _id: string }>('media').updateOne({ _id: hash }, { $set: { bytes: png(8, 8).subarray(0, 40) } }))
    expect(await store.read(hash)).toBeNull()
    await other.close()
    await cleanup()
  })
})

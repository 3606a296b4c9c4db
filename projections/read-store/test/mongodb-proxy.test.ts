import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connectMongo, type MongoConnection } from '../mongodb-connection.ts'
import { dropDatabase, hasMongo, newDatabase } from './mongodb.ts'
import { startMongoProxy, type MongoProxy } from './mongodb-proxy.ts'

describe.skipIf(!hasMongo)('The proxy before MongoDB', () => {
  let database: string
  let proxy: MongoProxy
  let mongo: MongoConnection
  beforeEach(async () => {
    database = newDatabase()
    proxy = await startMongoProxy(database)
    mongo = connectMongo(proxy.urlOf(database))
  })
  afterEach(async () => {
    await mongo.close()
    await proxy.close()
    await dropDatabase(database)
  })
  const insert = (...values: readonly number[]) =>
    mongo.run((db) => db.collection('numbers').insertMany(values.map((value) => ({ value }))))
  const count = () => mongo.run((db) => db.collection('numbers').countDocuments())

  it('lets a write in between the first batch of a result and the rest', async () => {
    await insert(1, 2, 3, 4)
    let isWritten = false
    proxy.beforeNext('getMore', async () => {
      await insert(5)
      isWritten = true
    })
    const seen = await mongo.run(async (db) => {
      const values = []
      for await (const { value } of db.collection('numbers').find({}, { batchSize: 2 })) values.push(value)
      return values
    })
    expect(isWritten).toBe(true)
    expect(seen.slice(0, 4)).toEqual([1, 2, 3, 4])
    expect(proxy.counts.get('getMore')).toBeGreaterThan(0)
    expect(await count()).toBe(5)
  })

  it.each([
    ['before', 0],
    ['after', 2],
  ] as const)('cuts the connection %s a bulk write has reached the server', async (when, stored) => {
    await count()
    proxy.cutNext('insert', when)
    await expect(
      mongo.run((db) =>
        db
          .collection('numbers')
          .bulkWrite([{ insertOne: { document: { value: 1 } } }, { insertOne: { document: { value: 2 } } }]),
      ),
    ).rejects.toThrow()
    expect(await count()).toBe(stored)
  })
})

import { describe, expect, it } from 'vitest'
import { connectMongo } from './mongodb-connection.ts'
import { openMongoReadStore } from './mongodb.ts'
import { dropDatabase, hasMongo, newDatabase } from './test/mongodb.ts'
import { at, newCollection } from './test/samples.ts'
import { readStoreContract } from './test/suite.ts'

const opened = async () => {
  const address = newDatabase()
  let connection = connectMongo(address)
  let store = openMongoReadStore(connection)
  return {
    store,
    address,
    reopen: async () => {
      await store.close()
      connection = connectMongo(address)
      return (store = openMongoReadStore(connection))
    },
    cleanup: async () => {
      await store.close()
      await dropDatabase(address)
    },
  }
}

describe.skipIf(!hasMongo)('A MongoDB server', () => {
  readStoreContract('MongoDB', opened, { pagedDocuments: 700, frequentWords: 700 })

  describe('with several processes', () => {
    it.each([
      [20, true],
      [20, false],
      [200, true],
    ])('keeps the newer write when two processes write the same %i new documents at once', async (count, isNew) => {
      const { store, address, cleanup } = await opened()
      const other = openMongoReadStore(connectMongo(address))
      const posts = await newCollection(store, [['n']])
      const ids = Array.from({ length: count }, (_, n) => `d${n}`)
      const batch = (by: string, shift: number) =>
        ids.map((id, n) => ({ id, position: at(1000 + ((n + shift) % 2)), doc: { by, n }, isNew }))
      await Promise.all([
        store.write(posts, batch('one', 0), at(1001)),
        other.write(posts, batch('other', 1), at(1001)),
      ])
      const kept = await store.getMany(posts, ids)
      expect([...kept.values()].every(({ position }) => position === at(1001))).toBe(true)
      expect(ids.map((id, n) => kept.get(id)?.doc?.['by'] === (n % 2 === 1 ? 'one' : 'other'))).not.toContain(false)
      await other.close()
      await cleanup()
    })

    it('does not restore a collection that another process dropped', async () => {
      const { store, address, cleanup } = await opened()
      const other = openMongoReadStore(connectMongo(address))
      const posts = await newCollection(store, [])
      await store.write(posts, [{ id: 'a', position: at(1), doc: { n: 1 } }], at(1))
      await other.drop(posts)
      await expect(store.write(posts, [{ id: 'b', position: at(2), doc: { n: 2 } }], at(2))).rejects.toThrow(
        `There is no collection "${posts}"`,
      )
      expect(await other.collections()).toEqual([])
      await expect(store.get(posts, 'b')).rejects.toThrow('There is no collection')
      await other.close()
      await cleanup()
    })
  })

  it('keeps a retired collection readable for a minute, and reports it as gone after that', async () => {
    const { store, address, cleanup } = await opened()
    const reader = openMongoReadStore(connectMongo(address))
    const posts = await newCollection(store, [['n']])
    await store.write(posts, [{ id: 'a', position: at(1), doc: { id: 'a', n: 1 } }], at(1))
    expect(await reader.get(posts, 'a')).toEqual({ id: 'a', n: 1 })
    await store.retire(posts)
    expect(await store.sweep()).toEqual([])
    expect(await reader.get(posts, 'a')).toEqual({ id: 'a', n: 1 })
    expect((await reader.find(posts, { where: { n: 1 } })).items).toHaveLength(1)
    expect(await store.sweep(0)).toEqual([posts])
    const gone = `There is no collection "${posts}"`
    await expect(reader.get(posts, 'a')).rejects.toThrow(gone)
    await expect(reader.find(posts, { where: { n: 1 } })).rejects.toThrow(gone)
    await expect(reader.count(posts, { n: 1 })).rejects.toThrow(gone)
    await reader.close()
    await cleanup()
  })

  it.each(['get', 'find', 'count'] as const)(
    'reports a collection that another process has dropped as gone, not as empty: %s',
    async (ask) => {
      const { store, address, cleanup } = await opened()
      const other = openMongoReadStore(connectMongo(address))
      const posts = await newCollection(store, [])
      await store.write(posts, [{ id: 'a', position: at(1), doc: { id: 'a' } }], at(1))
      const asked = () =>
        ask === 'get' ? store.get(posts, 'a') : ask === 'find' ? store.find(posts, {}) : store.count(posts)
      await asked()
      await other.drop(posts)
      await expect(asked()).rejects.toThrow(`There is no collection "${posts}"`)
      await other.close()
      await cleanup()
    },
  )

  it('throws for a collection that was never ensured', async () => {
    const { store, cleanup } = await opened()
    await expect(store.get('posts_v1', 'a')).rejects.toThrow('There is no collection "posts_v1"')
    await expect(store.swap('posts', 'posts_v1')).rejects.toThrow('There is no collection "posts_v1"')
    await cleanup()
  })
})

it.skipIf(!hasMongo)('An unavailable MongoDB is reported within its timeout', async () => {
  const store = openMongoReadStore(connectMongo('mongodb://127.0.0.1:9/nobody'))
  await expect(store.live('posts')).rejects.toMatchObject({
    name: 'StoreUnavailable',
    message: "MongoDB can't be reached just now",
  })
  await store.close()
})

/** The MongoDB adapter while the server is slow, changes documents in between, or loses a connection. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connectMongo } from './mongodb-connection.ts'
import { updatesPerCommandOf } from './mongodb-writes.ts'
import { openMongoReadStore } from './mongodb.ts'
import type { ReadStore, Write } from './port.ts'
import { dropDatabase, hasMongo, newDatabase } from './test/mongodb.ts'
import { startMongoProxy, type MongoProxy } from './test/mongodb-proxy.ts'

const collection = 'numbers'
const at = (position: number) => String(position).padStart(16, '0')
const writes = (ids: readonly string[], position: number): readonly Write[] =>
  ids.map((id) => ({ id, position: at(position), doc: { id, position } }))
const ids = Array.from({ length: 150 }, (_, index) => `n${String(index).padStart(3, '0')}`)

describe.skipIf(!hasMongo)('The read store on MongoDB', () => {
  let database: string
  let proxy: MongoProxy
  let store: ReadStore
  let other: ReadStore
  beforeEach(async () => {
    database = newDatabase()
    proxy = await startMongoProxy(database)
    store = openMongoReadStore(connectMongo(proxy.urlOf(database)))
    other = openMongoReadStore(connectMongo(database))
    await store.ensure(collection, [])
  })
  afterEach(async () => {
    await store.close()
    await other.close()
    await proxy.close()
    await dropDatabase(database)
  })

  it('returns every document, also those replaced between the first batch of a result and the rest', async () => {
    await store.write(collection, writes(ids, 1), at(1))
    let isWritten = false
    proxy.beforeNext('getMore', async () => {
      await other.write(collection, writes(ids, 2), at(2))
      isWritten = true
    })
    const kept = await store.getMany(collection, ids)
    expect([isWritten, [...kept.keys()].sort()]).toEqual([true, ids])
    expect(proxy.sortsOf('find')).toContainEqual({ _id: 1 })
  })

  it('writes known documents in the order of their ids', async () => {
    await store.write(collection, writes(ids, 1), at(1))
    await store.write(collection, writes(ids.toReversed(), 2), at(2))
    expect(proxy.idsOf('update').filter((id) => ids.includes(String(id)))).toEqual(ids)
  })

  it.each([
    ['insert', undefined],
    ['update', at(1)],
  ])('reports a connection that is lost in a bulk %s as unavailable, and mends it', async (command, before) => {
    const positions = async () => {
      const kept = await other.getMany(collection, ids)
      return ids.map((id) => kept.get(id)?.position)
    }
    if (command === 'update') await store.write(collection, writes(ids, 1), at(1))
    expect(await positions()).toEqual(ids.map(() => before))
    proxy.cutNext(command, 'after')
    await expect(store.write(collection, writes(ids, 2), at(2))).rejects.toMatchObject({ name: 'StoreUnavailable' })
    // The server wrote what it was sent before the cut, and nothing of the rest.
    const between = await positions()
    expect(between).toContain(at(2))
    expect(between.filter((position) => position !== before && position !== at(2))).toEqual([])
    expect(await other.checkpoint(collection)).toBe(before ?? null)
    await store.write(collection, writes(ids, 3), at(3))
    expect(await positions()).toEqual(ids.map(() => at(3)))
    expect(await other.checkpoint(collection)).toBe(at(3))
  })

  it.each(['before', 'after'] as const)(
    'drops the rest of a collection whose drop was cut %s the server dropped its documents',
    async (when) => {
      await store.write(collection, writes(ids, 2), at(2))
      proxy.cutNext('drop', when)
      await expect(store.drop(collection)).rejects.toMatchObject({ name: 'StoreUnavailable' })
      expect(await other.collections()).toEqual([])
      await store.drop(collection)
      await store.ensure(collection, [])
      expect([await other.count(collection), await other.checkpoint(collection)]).toEqual([0, null])
    },
  )

  it.each(['before', 'after'] as const)(
    'sweeps a retired collection again if the sweep was cut %s the server dropped its documents',
    async (when) => {
      await store.write(collection, writes(ids, 2), at(2))
      await store.retire(collection)
      expect(await other.get(collection, 'n000')).toMatchObject({ position: 2 })
      proxy.cutNext('drop', when)
      await expect(store.sweep(0)).rejects.toMatchObject({ name: 'StoreUnavailable' })
      if (when === 'after')
        await expect(other.get(collection, 'n000')).rejects.toThrow(`There is no collection "${collection}"`)
      expect(await store.sweep(0)).toEqual([collection])
      const db = connectMongo(database)
      expect(await db.run((open) => open.listCollections({ name: `c_${collection}` }).toArray())).toEqual([])
      await db.close()
    },
  )

  it('sends as many updates per command as the server takes', async () => {
    await store.write(collection, writes(ids, 1), at(1))
    const before = proxy.counts.get('update') ?? 0
    await store.write(collection, writes(ids, 2), null)
    const { ferretdbVersion } = await connectionTo(database, { buildInfo: 1 })
    expect((proxy.counts.get('update') ?? 0) - before).toBe(ferretdbVersion?.startsWith('v1.') ? 8 : 1)
  })
})

it.each([
  ['MongoDB', { version: '7.0.12' }, 1_000],
  ['FerretDB 1', { version: '7.0.42', ferretdbVersion: 'v1.24.2' }, 20],
  ['FerretDB 2', { version: '7.0.77', ferretdbVersion: 'v2.0.0' }, 1_000],
] as const)('The number of updates per command on %s', (_, buildInfo, expected) => {
  expect(updatesPerCommandOf(buildInfo)).toBe(expected)
})

async function connectionTo(database: string, command: object): Promise<{ readonly ferretdbVersion?: string }> {
  const connection = connectMongo(database)
  try {
    return await connection.run((db) => db.command(command))
  } finally {
    await connection.close()
  }
}

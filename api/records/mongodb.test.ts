import { describe, expect, it } from 'vitest'
import { around } from '../../domain/test/around.ts'
import { connectMongo } from '../../projections/read-store/mongodb-connection.ts'
import { dropDatabase, hasMongo, newDatabase } from '../../projections/read-store/test/mongodb.ts'
import { openMongoRecords } from './mongodb.ts'
import { recordsContract } from './test/suite.ts'

const opened = async () => {
  const address = newDatabase()
  let records = await openMongoRecords(connectMongo(address))
  return {
    records,
    address,
    reopen: async () => {
      await records.close()
      return (records = await openMongoRecords(connectMongo(address)))
    },
    cleanup: async () => {
      await records.close()
      await dropDatabase(address)
    },
  }
}

describe.skipIf(!hasMongo)('A MongoDB record store', () => {
  recordsContract('MongoDB', opened)

  it('asks for the indexes of a table once, and again after that has failed', async () => {
    const address = newDatabase()
    let asked = 0
    const connection = around(connectMongo(address), async (name, command) => {
      if (name === 'runLong' && ++asked === 1) throw new Error('The store is away')
      return command()
    })
    const records = await openMongoRecords(connection)
    const open = () =>
      records.table<{ readonly id: string; readonly kind: string }>({ table: 'people', indexed: ['kind'] })
    await expect(Promise.all([open(), open()])).rejects.toThrow('The store is away')
    await Promise.all([open(), open()])
    await open()
    expect(asked).toBe(2)
    await records.close()
    await dropDatabase(address)
  })

  it('gives a lease to exactly one of several processes, and rejects a version that was taken over', async () => {
    const { records, address, cleanup } = await opened()
    const all = [records, ...(await Promise.all([1, 2, 3].map(() => openMongoRecords(connectMongo(address)))))]
    const tables = await Promise.all(
      all.map((one) => one.table<{ readonly id: string; readonly owner: number }>({ table: 'leases' })),
    )
    const won = await Promise.all(tables.map((table, owner) => table.insert({ id: 'posts', owner })))
    expect(won.filter(Boolean)).toHaveLength(1)
    const first = await tables[0]?.get('posts')
    const taken = await Promise.all(
      tables.map((table, owner) => table.replace({ id: 'posts', owner: owner + 10 }, first?.version ?? Number.NaN)),
    )
    expect(taken.filter(Boolean)).toHaveLength(1)
    await tables[1]?.remove('posts')
    await tables[2]?.insert({ id: 'posts', owner: 99 })
    expect(await tables[3]?.replace({ id: 'posts', owner: 3 }, first?.version ?? Number.NaN)).toBe(false)
    for (const one of all.slice(1)) await one.close()
    await cleanup()
  })
})

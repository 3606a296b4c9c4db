import { describe, expect, it } from 'vitest'
import { connectMongo } from '../../projections/read-store/mongodb-connection.ts'
import { dropDatabase, hasMongo, newDatabase } from '../../projections/read-store/test/mongodb.ts'
import { openMongoRecords } from './mongodb.ts'
import { openMongoRecordSource } from './mongodb-source.ts'
import type { AnyRecord } from './source.ts'

const users = { table: 'users', unique: ['email'], indexed: ['team', 'seenAt'] } as const

describe.skipIf(!hasMongo)('Records read from MongoDB', () => {
  it('are complete, in any number and with any content, with their unique and indexed fields', async () => {
    const database = newDatabase()
    const mongo = connectMongo(database)
    const records = await openMongoRecords(mongo.share())
    try {
      const table = await records.table<AnyRecord>(users)
      const put = Array.from({ length: 250 }, (_, n) => ({
        id: n === 7 ? 'odd\0 \ud800' : `u${n}`,
        email: `${n}@x.example`,
        odd: { list: [null, true, 'a\0b \ud800'], n },
      }))
      await Promise.all(put.map((record) => table.insert(record)))
      const source = await openMongoRecordSource(mongo)
      const [found] = source.tables
      expect(source.tables.map(({ definition }) => definition)).toEqual([
        { ...users, indexed: expect.arrayContaining([...users.indexed]) },
      ])
      const all: AnyRecord[] = []
      for await (const page of found?.records() ?? []) all.push(...page)
      expect(new Map(all.map((record) => [record.id, record]))).toEqual(
        new Map(put.map((record) => [record.id, record])),
      )
      expect(all).toHaveLength(250)
      expect(await found?.current?.('odd\0 \ud800')).toEqual(put[7])
      expect(await found?.current?.('unknown')).toBeNull()
    } finally {
      await records.close()
      await mongo.close()
      await dropDatabase(database)
    }
  })
})

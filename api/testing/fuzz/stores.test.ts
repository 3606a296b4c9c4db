/**
 * Values that look like a query match only themselves in a store: in the embedded one, and in MongoDB where
 * `TEST_MONGODB_URL` is set.
 */
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from 'vitest'
import { removeFolder, temporaryFolder } from '../../../domain/test/folder.ts'
import { openEmbeddedReadStore } from '../../../projections/read-store/embedded.ts'
import { connectMongo } from '../../../projections/read-store/mongodb-connection.ts'
import { dropDatabase, hasMongo, newDatabase } from '../../../projections/read-store/test/mongodb.ts'
import { openMongoReadStore } from '../../../projections/read-store/mongodb.ts'
import type { ReadStore, Scalar, Where } from '../../../projections/read-store/port.ts'
import { openEmbeddedRecords } from '../../records/embedded.ts'
import { openMongoRecords } from '../../records/mongodb.ts'
import type { Records, RecordTable } from '../../records/port.ts'

interface Opened {
  readonly records: Records
  readonly store: ReadStore
  readonly close: () => Promise<void>
}

async function embedded(): Promise<Opened> {
  const folder = await temporaryFolder('socialai')
  const records = await openEmbeddedRecords(join(folder, 'records.db'))
  const store = await openEmbeddedReadStore(join(folder, 'views.db'))
  const close = async () => {
    await records.close()
    await store.close()
    await removeFolder(folder)
  }
  return { records, store, close }
}

async function mongo(): Promise<Opened> {
  const address = newDatabase()
  const records = await openMongoRecords(connectMongo(address))
  const store = openMongoReadStore(connectMongo(address))
  const close = async () => {
    await records.close()
    await store.close()
    await dropDatabase(address)
  }
  return { records, store, close }
}

const likeQueries = [
  '$gt',
  '$where',
  '{"$gt":""}',
  '{"$ne":null}',
  "' OR '1'='1",
  "x'; DROP TABLE users; --",
  '%',
  '*',
  '.*',
  '__proto__',
  'constructor',
  'toString',
  'a.b',
  '$$ROOT',
  ' ',
  '',
]
const objects = [{ $gt: '' }, { $ne: null }, { $regex: '.*' }, { $where: '1' }, { $in: ['ann'] }, ['ann']]

describe.each([
  { name: 'the embedded stores', open: embedded, isThere: true },
  { name: 'MongoDB', open: mongo, isThere: hasMongo },
])('$name', ({ open, isThere }) => {
  describe.skipIf(!isThere)('given values that look like a query', () => {
    let opened: Opened
    let users: RecordTable<{ readonly id: string; readonly email: string }>
    beforeEach(async () => {
      opened = await open()
      users = await opened.records.table({ table: 'users', unique: ['email'] })
      await users.insert({ id: 'u1', email: 'ann' })
    })
    afterEach(() => opened.close())

    it('find only the record with exactly this value', async () => {
      for (const text of likeQueries) {
        expect(await users.find('email', text)).toEqual([])
        expect(await users.get(text)).toBeNull()
        expect(await users.remove(text)).toBe(false)
      }
      for (const [index, text] of likeQueries.entries())
        expect(await users.insert({ id: `x${index}`, email: text })).toBe(true)
      for (const [index, text] of likeQueries.entries())
        expect(await users.find('email', text)).toEqual([{ id: `x${index}`, email: text }])
      expect((await users.get('u1'))?.record).toEqual({ id: 'u1', email: 'ann' })
    })

    it.each(objects)('find nothing with %j, which the types forbid as well', async (object) => {
      const none = async (asked: () => Promise<unknown>) =>
        expect(
          await Promise.resolve()
            .then(asked)
            .catch((error: unknown) => error),
        ).toSatisfy(isNothing)
      await none(() => users.find('email', object as never))
      await none(() => users.get(object as never))
      await none(() => users.remove(object as never))
      await none(() => users.removeBefore('email', object as never))
      expect((await users.get('u1'))?.record).toEqual({ id: 'u1', email: 'ann' })
    })

    it('find only the document with exactly this value', async () => {
      const { store } = opened
      await store.ensure('things_v1', [['owner']])
      const writes = ['ann', ...likeQueries].map((owner, index) => ({
        id: `d${index}`,
        doc: { id: `d${index}`, owner },
        position: String(index + 1).padStart(20, '0'),
      }))
      await store.write('things_v1', writes, String(writes.length).padStart(20, '0'))
      for (const [index, owner] of ['ann', ...likeQueries].entries()) {
        expect((await store.find('things_v1', { where: { owner } })).items).toEqual([{ id: `d${index}`, owner }])
      }
      for (const object of objects) {
        const found = await Promise.resolve()
          .then(() => store.find('things_v1', { where: { owner: object as never } }))
          .then(
            ({ items }) => items,
            (error: unknown) => error,
          )
        expect(found).toSatisfy(isNothing)
      }
      await expect(store.find('things_v1', { where: { $where: 'true' } })).rejects.toThrow(TypeError)
    })
  })
})

/** An error, or an empty result. */
const isNothing = (answer: unknown): boolean =>
  answer instanceof Error ||
  answer === null ||
  answer === false ||
  answer === 0 ||
  (Array.isArray(answer) && answer.length === 0)

it("the ports' types accept strings and plain values, and no query objects", () => {
  expectTypeOf<Parameters<RecordTable<{ id: string }>['find']>[1]>().toEqualTypeOf<string>()
  expectTypeOf<Parameters<RecordTable<{ id: string }>['get']>[0]>().toEqualTypeOf<string>()
  expectTypeOf<{ readonly $gt: string }>().not.toExtend<Where[string]>()
  expectTypeOf<Scalar>().toEqualTypeOf<string | number | boolean | null>()
})

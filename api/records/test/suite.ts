/** The contract of every record store. Each test creates new tables, so that it can run on a shared server. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Records, RecordTable } from '../port.ts'
import { RecordConflict } from '../port.ts'

export interface OpenedRecords {
  readonly records: Records
  /** Closes the store and opens it again with the same records, if the store is persistent. */
  readonly reopen?: () => Promise<Records>
  readonly cleanup: () => Promise<void>
}

interface User {
  readonly id: string
  readonly email?: string | null
  readonly team?: string
  readonly expires?: string | number
  readonly extra?: unknown
}

export function recordsContract(name: string, open: () => Promise<OpenedRecords>): void {
  describe(`${name} as a record store`, () => {
    let opened: OpenedRecords
    let records: Records
    beforeAll(async () => {
      opened = await open()
      records = opened.records
    })
    afterAll(() => opened.cleanup())

    const tableNamed = (table: string): Promise<RecordTable<User>> =>
      records.table({ table, unique: ['email'], indexed: ['team', 'expires'] })
    const users = () => tableNamed(newTable())

    describe('inserting', () => {
      it('stores a record unchanged', async () => {
        const table = await users()
        const user: User = { id: 'ключ 🎉 שלום', team: 'a\0 \ud800 👩‍👧', extra: { on: true, off: [false, null, 0.1] } }
        expect(await table.insert(user)).toBe(true)
        expect((await table.get(user.id))?.record).toEqual(user)
        for (const id of ['unknown', 'nul\0', 'half \ud800']) expect(await table.get(id)).toBeNull()
      })

      it('lets exactly one of fifty win an id', async () => {
        const table = await users()
        const outcomes = await Promise.all(Array.from({ length: 50 }, (_, n) => table.insert({ id: 'one', extra: n })))
        expect(outcomes.filter(Boolean)).toHaveLength(1)
        expect((await table.get('one'))?.record.extra).toBe(outcomes.indexOf(true))
      })

      it('lets exactly one of fifty win a unique value', async () => {
        const table = await users()
        const outcomes = await Promise.all(
          Array.from({ length: 50 }, (_, n) => table.insert({ id: `u${n}`, email: 'ann' })),
        )
        expect(outcomes.filter(Boolean)).toHaveLength(1)
        expect(await table.find('email', 'ann')).toEqual([{ id: `u${outcomes.indexOf(true)}`, email: 'ann' }])
      })

      it('changes nothing when it returns false', async () => {
        const table = await users()
        await table.insert({ id: 'a', email: 'ann' })
        const before = await table.get('a')
        expect(await table.insert({ id: 'a', email: 'other' })).toBe(false)
        expect(await table.insert({ id: 'b', email: 'ann' })).toBe(false)
        expect(await table.get('a')).toEqual(before)
        expect(await table.get('b')).toBeNull()
      })

      it('does not compare unique fields that are null or absent', async () => {
        const table = await users()
        const outcomes = [{ id: 'a', email: null }, { id: 'b', email: null }, { id: 'c' }, { id: 'd' }].map((user) =>
          table.insert(user),
        )
        expect(await Promise.all(outcomes)).toEqual([true, true, true, true])
      })

      it('frees a unique value together with its record', async () => {
        const table = await users()
        await table.insert({ id: 'a', email: 'ann' })
        await table.remove('a')
        expect(await table.insert({ id: 'b', email: 'ann' })).toBe(true)
        await table.put({ id: 'b', email: 'bob' })
        expect(await table.insert({ id: 'c', email: 'ann' })).toBe(true)
      })
    })

    describe('replacing', () => {
      it('lets exactly one of fifty win a version', async () => {
        const table = await users()
        await table.insert({ id: 'a' })
        const version = (await table.get('a'))?.version ?? Number.NaN
        const outcomes = await Promise.all(
          Array.from({ length: 50 }, (_, n) => table.replace({ id: 'a', extra: n }, version)),
        )
        expect(outcomes.filter(Boolean)).toHaveLength(1)
        const after = await table.get('a')
        expect(after?.record.extra).toBe(outcomes.indexOf(true))
        expect(after?.version).toBeGreaterThan(version)
      })

      it('fails after any other change, including a removal with a new insert', async () => {
        const table = await users()
        await table.insert({ id: 'a' })
        const first = (await table.get('a'))?.version ?? Number.NaN
        await table.put({ id: 'a', extra: 'put' })
        const second = (await table.get('a'))?.version ?? Number.NaN
        expect(second).toBeGreaterThan(first)
        expect(await table.replace({ id: 'a' }, first)).toBe(false)
        await table.remove('a')
        expect(await table.replace({ id: 'a' }, second)).toBe(false)
        await table.insert({ id: 'a', extra: 'again' })
        expect(await table.replace({ id: 'a' }, first)).toBe(false)
        expect(await table.replace({ id: 'a' }, second)).toBe(false)
        expect((await table.get('a'))?.record).toEqual({ id: 'a', extra: 'again' })
      })

      it('fails when a unique value is taken, and changes nothing', async () => {
        const table = await users()
        await table.insert({ id: 'a', email: 'ann' })
        await table.insert({ id: 'b', email: 'bob' })
        const bob = await table.get('b')
        await expect(table.replace({ id: 'b', email: 'ann' }, bob?.version ?? Number.NaN)).rejects.toBeInstanceOf(
          RecordConflict,
        )
        expect(await table.get('b')).toEqual(bob)
      })
    })

    describe('getting', () => {
      it('shows each change of a record that was read before, through every table', async () => {
        const name = newTable()
        const [table, other] = [await tableNamed(name), await tableNamed(name)]
        const read = async () => (await table.get('a'))?.record ?? null
        await table.insert({ id: 'a', team: 'x' })
        expect(await read()).toEqual({ id: 'a', team: 'x' })
        await other.put({ id: 'a', team: 'y' })
        expect(await read()).toEqual({ id: 'a', team: 'y' })
        await other.replace({ id: 'a', team: 'z', expires: '1' }, (await other.get('a'))?.version ?? Number.NaN)
        expect(await read()).toEqual({ id: 'a', team: 'z', expires: '1' })
        await other.removeBefore('expires', '2')
        expect(await read()).toBeNull()
        await other.insert({ id: 'a', team: 'x' })
        expect(await read()).toEqual({ id: 'a', team: 'x' })
        await other.remove('a')
        expect(await read()).toBeNull()
      })
    })

    describe('putting', () => {
      it('inserts and overwrites', async () => {
        const table = await users()
        await table.put({ id: 'a', team: 'x' })
        await table.put({ id: 'a', team: 'y' })
        expect((await table.get('a'))?.record).toEqual({ id: 'a', team: 'y' })
        expect(await table.find('team', 'x')).toEqual([])
      })

      it('fails when a unique value is taken, without harm to concurrent writes', async () => {
        const table = await users()
        await table.insert({ id: 'a', email: 'ann' })
        const outcomes = await Promise.allSettled([
          table.put({ id: 'b', email: 'bob' }),
          table.put({ id: 'c', email: 'ann' }),
          table.put({ id: 'd', email: 'dan' }),
        ])
        expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
        expect(outcomes[1]).toMatchObject({ reason: { name: 'RecordConflict' } })
        expect(await table.get('c')).toBeNull()
        expect(await table.get('d')).not.toBeNull()
      })
    })

    describe('finding', () => {
      it('returns records by id, up to the limit', async () => {
        const table = await users()
        for (const id of ['c', 'a', 'd', 'b']) await table.insert({ id, team: id === 'd' ? 'y' : 'x' })
        expect((await table.find('team', 'x')).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
        expect((await table.find('team', 'x', 2)).map(({ id }) => id)).toEqual(['a', 'b'])
        for (const value of ['z', 'X', '', 'nul\0', 'half \ud800']) expect(await table.find('team', value)).toEqual([])
      })

      it('returns a hundred records without a limit', async () => {
        const table = await users()
        await Promise.all(Array.from({ length: 120 }, (_, n) => table.insert({ id: `u${n}`, team: 'x' })))
        expect(await table.find('team', 'x')).toHaveLength(100)
      })

      it('refuses a field without an index', async () => {
        const table = await users()
        await expect(table.find('extra', 'x')).rejects.toThrow(TypeError)
        await expect(table.removeBefore('extra', 'x')).rejects.toThrow(TypeError)
      })
    })

    describe('the first by a field', () => {
      it('are sorted by that field, up to the limit, without records that have no text there', async () => {
        const table = await users()
        for (const [id, expires] of [
          ['c', '2026-01-03'],
          ['a', '2026-01-01'],
          ['e', '2026-01-02'],
          ['b', '2026-01-02'],
        ])
          await table.insert({ id: id ?? '', expires: expires ?? '' })
        await table.insert({ id: 'none' })
        await table.insert({ id: 'number', expires: 5 })
        expect((await table.first('expires', 10)).map(({ id }) => id)).toEqual(['a', 'b', 'e', 'c'])
        expect((await table.first('expires', 2)).map(({ id }) => id)).toEqual(['a', 'b'])
        await expect(table.first('extra', 1)).rejects.toThrow(TypeError)
      })

      it('are those of a range, if one is given: its start belongs to it, its end does not', async () => {
        const table = await users()
        for (const [id, expires] of [
          ['a', 'north 2'],
          ['b', 'north 1'],
          ['c', 'south 1'],
          ['d', 'north 3'],
          ['e', 'nort'],
        ])
          await table.insert({ id: id ?? '', expires: expires ?? '' })
        const range = { from: 'north ', below: 'north 3' }
        expect((await table.first('expires', 10, range)).map(({ id }) => id)).toEqual(['b', 'a'])
        expect((await table.first('expires', 1, range)).map(({ id }) => id)).toEqual(['b'])
        expect(await table.first('expires', 10, { from: 'x', below: 'y' })).toEqual([])
        expect((await table.first('id', 10, { from: 'b', below: 'd' })).map(({ id }) => id)).toEqual(['b', 'c'])
      })
    })

    it('counts records', async () => {
      const table = await users()
      expect(await table.count()).toBe(0)
      for (let n = 0; n < 7; n++) await table.insert({ id: `u${n}` })
      await table.remove('u3')
      await table.put({ id: 'u1', team: 'again' })
      expect(await table.count()).toBe(6)
    })

    describe('removing', () => {
      it('returns whether there was one', async () => {
        const table = await users()
        await table.insert({ id: 'a' })
        expect(await table.remove('a')).toBe(true)
        expect(await table.remove('a')).toBe(false)
        expect(await table.remove('nul\0')).toBe(false)
        expect(await table.get('a')).toBeNull()
      })

      it('removes only the expected version, where one is given', async () => {
        const table = await users()
        await table.insert({ id: 'a' })
        const read = await table.get('a')
        await table.put({ id: 'a', email: 'ann' })
        expect(await table.remove('a', read?.version)).toBe(false)
        const changed = await table.get('a')
        expect(changed?.record).toEqual({ id: 'a', email: 'ann' })
        expect(await table.remove('a', changed?.version)).toBe(true)
        expect(await table.get('a')).toBeNull()
      })

      it('removes records before a value, and keeps records without one', async () => {
        const table = await users()
        await table.insert({ id: 'old', expires: '2026-01-01T00:00:00.000Z' })
        await table.insert({ id: 'edge', expires: '2026-01-02T00:00:00.000Z' })
        await table.insert({ id: 'new', expires: '2026-01-03T00:00:00.000Z' })
        await table.insert({ id: 'none' })
        await table.insert({ id: 'number', expires: 5 })
        expect(await table.removeBefore('expires', '2026-01-02T00:00:00.000Z')).toBe(1)
        expect(await table.get('old')).toBeNull()
        for (const id of ['edge', 'new', 'none', 'number']) expect(await table.get(id)).not.toBeNull()
        expect(await table.removeBefore('expires', '2026-01-02T00:00:00.000Z')).toBe(0)
      })
    })

    it('keeps tables apart', async () => {
      const [one, two] = [await users(), await users()]
      await one.insert({ id: 'a', email: 'ann' })
      expect(await two.get('a')).toBeNull()
      expect(await two.insert({ id: 'a', email: 'ann' })).toBe(true)
    })

    it('accepts only table names that fit every engine', async () => {
      for (const table of ['', 'Users', '1users', 'users-v1'])
        await expect(tableNamed(table)).rejects.toThrow(TypeError)
    })

    it('keeps records across a reopening, and never reuses a version', async ({ skip }) => {
      if (!opened.reopen) return skip()
      const table = newTable()
      const before = await tableNamed(table)
      await before.insert({ id: 'a', email: 'ann' })
      await before.insert({ id: 'b' })
      const [kept, removed] = [await before.get('a'), await before.get('b')]
      await before.remove('b')
      records = await opened.reopen()
      const after = await tableNamed(table)
      expect(await after.get('a')).toEqual(kept)
      expect(await after.insert({ id: 'c', email: 'ann' })).toBe(false)
      await after.insert({ id: 'b' })
      expect(await after.replace({ id: 'b' }, removed?.version ?? Number.NaN)).toBe(false)
    })

    it('rejects all requests after closing, and completes earlier ones', async () => {
      const other = await open()
      const table: RecordTable<User> = await other.records.table({ table: 'users' })
      const last = table.insert({ id: 'a' })
      await other.records.close()
      expect(await last).toBe(true)
      await expect(table.get('a')).rejects.toThrow()
      await expect(table.insert({ id: 'b' })).rejects.toThrow()
      await other.cleanup()
    })
  })
}

function newTable(): string {
  return `users_${randomUUID().replaceAll('-', '')}`
}

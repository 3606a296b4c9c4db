/** The contract for finding documents, for every read store. */
import { describe, expect, it } from 'vitest'
import type { Document, Page, Query, ReadStore, Where } from '../port.ts'
import { at, newCollection } from './samples.ts'

const INDEXES = [['agency', 'due'], ['due'], ['flag'], ['count']]

/** @param documents how many to page through: a store that scans is slow with thousands */
export function findContract(current: () => ReadStore, documents: number): void {
  /** A new collection with these documents under the ids `d000`, `d001`, …, written in random order. */
  async function holding(docs: readonly Document[]): Promise<string> {
    const collection = await newCollection(current(), INDEXES)
    const writes = docs.map((doc, i) => ({ id: id(i), position: at(i + 1), doc: { ...doc, id: id(i) } }))
    await current().write(
      collection,
      writes.toSorted((a, b) => hash(a.id) - hash(b.id)),
      at(docs.length),
    )
    return collection
  }
  const find = (collection: string, query: Query) => current().find(collection, query)
  const ids = ({ items }: Page) => items.map((doc) => doc['id'])

  describe('finding', () => {
    const docs: readonly Document[] = [
      { agency: 'a', due: '2026-01-01', flag: true, count: 1, ratio: 0.1 },
      { agency: 'a', due: '2026-01-02', flag: false, count: 2, ratio: 1e21 },
      { agency: 'b', due: '2026-01-03', flag: null, count: -3, ratio: 5e-324 },
      { agency: 'ключ 🎉', due: null, count: 0 },
      { agency: 'nul\0 and \ud800', flag: true, count: 9007199254740991 },
      { agency: 'o\'clock \\ " %_' },
    ]
    const cases: readonly (readonly [string, Where, readonly number[]])[] = [
      ['a text', { agency: 'a' }, [0, 1]],
      ['a text of any letters', { agency: 'ключ 🎉' }, [3]],
      ['a text that drivers spoil', { agency: 'nul\0 and \ud800' }, [4]],
      ['a text full of quotes', { agency: 'o\'clock \\ " %_' }, [5]],
      ['an integer', { count: 2 }, [1]],
      ['the largest integer', { count: 9007199254740991 }, [4]],
      ['a fraction', { ratio: 0.1 }, [0]],
      ['a huge number', { ratio: 1e21 }, [1]],
      ['a tiny number', { ratio: 5e-324 }, [2]],
      ['true', { flag: true }, [0, 4]],
      ['false', { flag: false }, [1]],
      ['null, which is also an absent field', { flag: null }, [2, 3, 5]],
      ['one of several', { agency: { in: ['a', 'b', 'nobody'] } }, [0, 1, 2]],
      ['one of none', { agency: { in: [] } }, []],
      ['one of several or null', { due: { in: ['2026-01-01', null] } }, [0, 3, 4, 5]],
      ['one of several booleans', { flag: { in: [true, false] } }, [0, 1, 4]],
      ['one of several odd texts and fractions', { ratio: { in: [0.1, 5e-324] } }, [0, 2]],
      ['a range of texts', { due: { gte: '2026-01-02', lt: '2026-01-03' } }, [1]],
      ['from a text on', { due: { gte: '2026-01-02' } }, [1, 2]],
      ['below a text', { due: { lt: '2026-01-02' } }, [0]],
      ['a range of numbers', { count: { gte: -3, lt: 1 } }, [2, 3]],
      ['from a number on', { count: { gte: 1 } }, [0, 1, 4]],
      ['below a number', { count: { lt: 1 } }, [2, 3]],
      ['a range over fields of another kind', { agency: { gte: 0 } }, []],
      ['a range of texts over numbers', { count: { lt: 'z' } }, []],
      ['all conditions at once', { agency: 'a', flag: true, due: { lt: '2026-02-01' } }, [0]],
      ['an unknown field', { nowhere: 'x' }, []],
    ]
    it.each(cases)('by %s', async (_, where, expected) => {
      const collection = await holding(docs)
      expect(ids(await find(collection, { where }))).toEqual(expected.map(id))
      expect(await current().count(collection, where)).toBe(expected.length)
      expect(ids(await find(collection, { filter: where }))).toEqual(expected.map(id))
    })

    it('refuses invalid fields and conditions', async () => {
      const collection = await holding(docs)
      const wrong: readonly Query[] = [
        { where: { 'a.b': 1 } },
        { where: { "a') OR 1=1 --": 1 } },
        { sort: { field: '$where', order: 'asc' } },
        { where: { count: Number.NaN } },
        { where: { count: {} } },
        { where: { count: { gte: 1, lt: 'z' } } },
        { limit: 0 },
        { limit: 1001 },
        { limit: 1.5 },
        { cursor: 'nonsense' },
      ]
      for (const query of wrong) await expect(find(collection, query)).rejects.toThrow()
    })
  })

  describe('sorting', () => {
    it('orders ties by id, and null before everything else', async () => {
      const collection = await holding([{ due: 'b' }, { due: 'a' }, {}, { due: 'b' }, { due: null }, { due: 'B' }])
      const ascending = [2, 4, 5, 1, 0, 3].map(id)
      expect(ids(await find(collection, { sort: { field: 'due', order: 'asc' } }))).toEqual(ascending)
      expect(ids(await find(collection, { sort: { field: 'due', order: 'desc' } }))).toEqual(ascending.toReversed())
      expect(ids(await find(collection, {}))).toEqual([0, 1, 2, 3, 4, 5].map(id))
    })

    it('orders numbers by value', async () => {
      const collection = await holding([{ count: 10 }, { count: 9 }, { count: -1 }, { count: 0.5 }])
      expect(ids(await find(collection, { sort: { field: 'count', order: 'asc' } }))).toEqual([2, 3, 1, 0].map(id))
    })
  })

  describe('paging', () => {
    const many = Array.from({ length: documents }, (_, i): Document => ({
      agency: i % 3 === 0 ? 'a' : 'b',
      ...(i % 5 === 0 ? {} : { due: `2026-01-${10 + (i % 7)}` }),
      flag: i % 2 === 0,
      count: i % 11 === 0 ? null : (i % 100) / 7,
    }))
    const queries: readonly Query[] = [
      {},
      { limit: 1000 },
      { limit: 500, sort: { field: 'due', order: 'asc' } },
      { limit: 7, where: { agency: 'a' }, sort: { field: 'due', order: 'desc' } },
      { limit: 99, sort: { field: 'due', order: 'desc' } },
      { limit: 99, sort: { field: 'count', order: 'asc' } },
      { limit: 99, sort: { field: 'count', order: 'desc' } },
      { limit: 250, sort: { field: 'flag', order: 'desc' } },
      { limit: 250, sort: { field: 'nowhere', order: 'desc' } },
      { limit: 30, where: { agency: { in: ['b', 'a', 'b', 'nobody'] } }, sort: { field: 'due', order: 'desc' } },
      {
        limit: 30,
        where: { agency: { in: ['a', 'b'] }, flag: { in: [true, false] } },
        sort: { field: 'count', order: 'asc' },
      },
      { limit: 50, where: { due: { in: ['2026-01-11', null] } }, sort: { field: 'count', order: 'asc' } },
    ]

    it('returns every document once, in any order', { tags: 'long' }, async () => {
      const collection = await holding(many)
      for (const query of queries) {
        const pages = await allPages((cursor) => find(collection, cursor === null ? query : { ...query, cursor }))
        const seen = pages.flatMap(ids)
        expect(seen).toHaveLength(await current().count(collection, query.where))
        expect(new Set(seen).size).toBe(seen.length)
        expect(seen).toEqual(
          sorted(
            pages.flatMap(({ items }) => items),
            query,
          ).map((doc) => doc['id']),
        )
        expect(pages.slice(0, -1).every(({ items }) => items.length === (query.limit ?? 1000))).toBe(true)
      }
    })

    it('returns no document twice when others are added and deleted between two pages', async () => {
      const collection = await holding(many.slice(0, 50))
      const query: Query = { sort: { field: 'flag', order: 'asc' }, limit: 20 }
      const first = await find(collection, query)
      const gone = String(ids(first)[3])
      const writes = [
        { id: gone, position: at(101), doc: null },
        { id: 'a new first', position: at(102), doc: { id: 'a new first', flag: false } },
      ]
      await current().write(collection, writes, at(102))
      const rest = await allPages((cursor) => find(collection, { ...query, cursor: cursor ?? first.next ?? '' }))
      const seen = [...ids(first), ...rest.flatMap(ids)]
      expect(seen.toSorted()).toEqual(Array.from({ length: 50 }, (_, i) => id(i)))
    })

    it('continues after any item of a page', async () => {
      const collection = await holding(many.slice(0, 30))
      for (const sort of [undefined, { field: 'due', order: 'desc' }, { field: 'count', order: 'asc' }] as const) {
        const query = { limit: 12, ...(sort && { sort }) }
        const all = ids(await find(collection, { ...query, limit: 30 }))
        const page = await find(collection, query)
        for (const index of [0, 5, 11])
          expect(ids(await find(collection, { ...query, cursor: page.after(index) }))).toEqual(
            all.slice(index + 1, index + 13),
          )
      }
    })

    it.each([['1e400'], ['-1e400'], ['{}'], ['[]']])('rejects a forged cursor with the value %s', async (value) => {
      const collection = await holding(many.slice(0, 3))
      const cursor = Buffer.from(`["d0000",${value}]`).toString('base64url')
      await expect(find(collection, { cursor, sort: { field: 'count', order: 'asc' } })).rejects.toThrow(RangeError)
    })

    it('returns no further page when the last one is full', async () => {
      const collection = await holding(many.slice(0, 20))
      const first = await find(collection, { limit: 10 })
      expect((await find(collection, { limit: 10, cursor: first.next ?? '' })).next).toBeNull()
      expect((await find(collection, { limit: 20 })).next).toBeNull()
    })

    it('rejects a cursor of another kind of query', async () => {
      const collection = await holding(many.slice(0, 20))
      const { next } = await find(collection, { limit: 10, sort: { field: 'due', order: 'asc' } })
      await expect(find(collection, { limit: 10, cursor: next ?? '' })).rejects.toThrow(RangeError)
    })
  })
}

async function allPages(page: (cursor: string | null) => Promise<Page>): Promise<Page[]> {
  const pages = [await page(null)]
  for (let next = pages[0]?.next ?? null; next !== null; next = pages.at(-1)?.next ?? null) pages.push(await page(next))
  return pages
}

function sorted(docs: readonly Document[], { sort }: Query): Document[] {
  const direction = sort?.order === 'desc' ? -1 : 1
  const key = (doc: Document) => (sort ? (doc[sort.field] ?? null) : null)
  return docs.toSorted((a, b) => direction * (compare(key(a), key(b)) || compare(a['id'], b['id'])))
}

function compare(a: unknown, b: unknown): number {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? -1 : 1
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : 1
  return Number(a) - Number(b)
}

function id(i: number): string {
  return `d${String(i).padStart(4, '0')}`
}

function hash(text: string): number {
  return [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 7919, 7)
}

/** The contract for finding documents by their words, for every read store. */
import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { searchable, wordsOf } from '../../../domain/core/words.ts'
import type { Document, Query, ReadStore, Write } from '../port.ts'
import { at } from './samples.ts'

interface Text {
  readonly agency: string
  readonly text: string
  readonly due?: string
  readonly kind?: string
}

const indexes = [
  ['agency', 'due'],
  ['agency', 'kind', 'due'],
]
const newestFirst = { field: 'due', order: 'desc' } as const

/** @param frequent so many documents with a word that a store reads them in order instead of looking the word up */
export function wordsContract(current: () => ReadStore, frequent: number): void {
  const fresh = async () => {
    const collection = `texts_${randomUUID().replaceAll('-', '')}`
    await current().ensure(collection, indexes, 'agency')
    return collection
  }
  const writeOf = (id: string, position: number, text: Text | null): Write => ({
    id,
    position: at(position),
    doc: text && documentOf(id, text),
  })
  const holding = async (texts: readonly Text[]) => {
    const collection = await fresh()
    await current().write(
      collection,
      texts.map((text, i) => writeOf(idOf(i), i + 1, text)),
      at(texts.length),
    )
    return collection
  }
  const found = async (collection: string, words: string, more: Query = {}) => {
    const query = { ...more, words, where: { agency: 'a', ...more.where } }
    return (await current().find(collection, query)).items.map(({ id }) => id)
  }

  describe('words', () => {
    const texts: readonly Text[] = [
      { agency: 'a', text: 'Fresh LEMONS on Straße 7, crème brûlée', due: '1', kind: 'x' },
      { agency: 'a', text: 'A lemonade stand in the STRASSE', due: '2', kind: 'y' },
      { agency: 'b', text: 'Lemons of another agency', due: '3', kind: 'x' },
      { agency: 'a', text: 'melon, and nothing else', due: '4', kind: 'x' },
      { agency: 'a', text: '茶と珈琲 ☕ Łódź, Θεός', due: '5', kind: 'x' },
      { agency: 'a', text: '!?', due: '6', kind: 'x' },
    ]
    it.each([
      ['the beginning of a word', 'lem', [0, 1]],
      ['a whole word', 'melon', [3]],
      ['not the middle of a word', 'emon', []],
      ['every word', 'lem str', [0, 1]],
      ['every word, in any order', 'strass fre', [0]],
      ['words of different documents', 'lemons melon', []],
      ['other case', 'LEMO', [0, 1]],
      ['other accents', 'creme BRULEE', [0]],
      ['a letter that stands for two', 'straße', [0, 1]],
      ['letters without a plain form', 'lodz', [4]],
      ['a final letter with a form of its own', 'θεοσ', [4]],
      ['another script', '茶', [4]],
      ['a digit', '7', [0]],
      ['one letter', 's', [0, 1]],
      ['punctuation around a word', '"melon*"', [3]],
      ['what the query language of an index reads', 'melon OR lemons', []],
      ['a word of the index of another agency', 'another', []],
      ['no words, which is no condition', '?!', [0, 1, 3, 4, 5]],
    ])('find %s', async (_, words, expected) => {
      const collection = await holding(texts)
      expect(await found(collection, words)).toEqual(expected.map(idOf))
    })

    it('combine with other conditions, an order and pages', async () => {
      const collection = await holding(texts)
      expect(await found(collection, 'lem', { sort: newestFirst })).toEqual([1, 0].map(idOf))
      expect(await found(collection, 'lem', { where: { kind: 'x' } })).toEqual([idOf(0)])
      expect(await found(collection, 'lem', { where: { kind: { in: ['x', 'y'] } }, sort: newestFirst })).toEqual(
        [1, 0].map(idOf),
      )
      const query: Query = { words: 'lem', where: { agency: 'a' }, sort: newestFirst, limit: 1 }
      const first = await current().find(collection, query)
      expect(first.items.map(({ id }) => id)).toEqual([idOf(1)])
      const second = await current().find(collection, { ...query, cursor: first.next ?? '' })
      expect(second.items.map(({ id }) => id)).toEqual([idOf(0)])
      expect(second.next).toBeNull()
    })

    it('are returned to the writer, and not to a reader', async () => {
      const collection = await holding(texts)
      const kept = await current().getMany(collection, [idOf(1), idOf(5)])
      expect(kept.get(idOf(1))?.doc?.['words']).toBe('a lemonade stand in the strasse')
      expect(kept.get(idOf(5))?.doc?.['words']).toBe('')
      expect(await current().get(collection, idOf(1))).not.toHaveProperty('words')
      const { items } = await current().find(collection, { words: 'lemonade', where: { agency: 'a' } })
      expect(items.map((doc) => 'words' in doc)).toEqual([false])
    })

    it('follow their document: rewritten, changed elsewhere, moved, deleted, written late and pruned', async () => {
      const collection = await holding([{ agency: 'a', text: 'before' }])
      const write = (position: number, text: Text | null) =>
        current().write(collection, [writeOf(idOf(0), position, text)], at(position))
      const seen = () => Promise.all(['before', 'after'].map((words) => found(collection, words)))
      await write(2, { agency: 'a', text: 'before', kind: 'x' })
      expect(await seen()).toEqual([[idOf(0)], []])
      await write(4, { agency: 'a', text: 'after' })
      await write(3, { agency: 'a', text: 'before' })
      expect(await seen()).toEqual([[], [idOf(0)]])
      await write(5, { agency: 'b', text: 'after' })
      expect(await seen()).toEqual([[], []])
      await write(6, { agency: 'a', text: 'after' })
      await write(7, null)
      expect(await seen()).toEqual([[], []])
      expect(await current().prune(collection, at(7))).toBe(1)
      await write(8, { agency: 'a', text: 'before' })
      expect(await seen()).toEqual([[idOf(0)], []])
    })

    it('are gone with a dropped collection', async () => {
      const collection = await holding([{ agency: 'a', text: 'before' }])
      await current().drop(collection)
      await current().ensure(collection, indexes, 'agency')
      expect(await found(collection, 'before')).toEqual([])
      await current().write(collection, [writeOf('other', 1, { agency: 'a', text: 'after' })], at(1))
      expect(await found(collection, 'after')).toEqual(['other'])
    })

    it('need an index, and one value of its scope', async () => {
      const collection = await holding(texts)
      const plain = `plain_${randomUUID().replaceAll('-', '')}`
      await current().ensure(plain, indexes)
      const refused = { name: 'NotSearchable' }
      await expect(current().find(collection, { words: 'lem' })).rejects.toMatchObject(refused)
      await expect(
        current().find(collection, { words: 'lem', where: { agency: { in: ['a', 'b'] } } }),
      ).rejects.toMatchObject(refused)
      await expect(current().find(plain, { words: 'lem', where: { agency: 'a' } })).rejects.toMatchObject(refused)
    })

    it(`that are in ${frequent} documents are found in order, page by page`, { tags: 'long' }, async () => {
      const texts = Array.from({ length: frequent }, (_, i) => ({
        agency: 'a',
        text: i % 7 === 0 ? 'often and seldom' : 'often',
        ...(i % 5 === 0 ? {} : { due: String(i % 11).padStart(2, '0') }),
        kind: i % 2 === 0 ? 'x' : 'y',
      }))
      const collection = await holding(texts)
      for (const [words, limit, filter] of [
        ['often', 300, null],
        ['often sel', 50, null],
        ['often sel', 20, { kind: 'y' }],
        ['', 300, { kind: 'x' }],
      ] as const)
        for (const sort of [newestFirst, { field: 'due', order: 'asc' }] as const) {
          const of = { words, sort, where: { agency: 'a', kind: { in: ['x', 'y'] } } }
          const query: Query = { ...of, limit, ...(filter && { filter }) }
          const expected = expectedIds(texts, { ...of, where: { ...of.where, ...filter } })
          const seen: unknown[] = []
          for (let cursor: string | null | undefined; cursor !== null;) {
            const page = await current().find(collection, cursor === undefined ? query : { ...query, cursor })
            expect(page.items.length).toBeLessThanOrEqual(limit)
            seen.push(...page.items.map(({ id }) => id))
            cursor = page.next
          }
          expect(seen).toEqual(expected)
        }
    })

    it('are found as a filter in memory finds them, for any texts', { tags: 'long' }, async () => {
      const letters = fc.constantFrom(...'aAbßéÉıİøςσ茶ी7 -🎉'.split(''), 'ﬁ', '🎉', 'e\u0301')
      const text = fc.array(letters, { maxLength: 12 }).map((parts) => parts.join(''))
      const document = fc.record({ agency: fc.constantFrom('a', 'b'), text, due: fc.constantFrom('1', '2', '3') })
      await fc.assert(
        fc.asyncProperty(
          fc.array(document, { minLength: 1, maxLength: 12 }),
          fc.array(text, { maxLength: 6 }),
          async (texts, queries) => {
            const collection = await holding(texts)
            for (const words of [...queries, ...texts.map(({ text }) => text.slice(0, 3))]) {
              const query: Query = { words, where: { agency: 'a' }, sort: newestFirst }
              const { items } = await current().find(collection, query)
              expect({ words, ids: items.map(({ id }) => id) }).toEqual({ words, ids: expectedIds(texts, query) })
            }
            await current().drop(collection)
          },
        ),
        { numRuns: 25 },
      )
    })
  })
}

const idOf = (i: number) => `d${String(i).padStart(4, '0')}`

const documentOf = (id: string, { text, ...rest }: Text): Document => ({ ...rest, id, words: searchable(text) })

/** What the store should find, by comparing every document. */
function expectedIds(texts: readonly Text[], { words = '', where = {}, sort }: Query): string[] {
  const wanted = wordsOf(words)
  const direction = sort?.order === 'desc' ? -1 : 1
  return texts
    .map((text, i) => ({ ...text, id: idOf(i), due: text.due ?? '' }))
    .filter(({ agency, text, kind }) => {
      const has = wordsOf(text)
      const isOfKind = typeof where['kind'] !== 'string' || where['kind'] === kind
      return isOfKind && agency === where['agency'] && wanted.every((word) => has.some((each) => each.startsWith(word)))
    })
    .toSorted((a, b) => direction * (a.due === b.due ? (a.id < b.id ? -1 : 1) : a.due < b.due ? -1 : 1))
    .map(({ id }) => id)
}

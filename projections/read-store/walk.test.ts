/** @module-tag long */
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { Crowded } from '../../domain/core/fair-queue.ts'
import { besideOthersMs } from '../../domain/test/fastest.ts'
import { removeFolder, temporaryFolder } from '../../domain/test/folder.ts'
import { longestBlockMs } from '../../domain/test/longest-block.ts'
import { openEmbeddedReadStore } from './embedded.ts'
import type { Query, ReadStore, Write } from './port.ts'

const dueLast = { field: 'due', order: 'desc' } as const
const kinds = ['0', '1', '2', '3', '4', '5', '6']

/** Many documents of one agency, with one kind far more often than the others, and one of another agency. */
async function stocked(count: number): Promise<ReadStore> {
  const folder = await temporaryFolder('read-store')
  onTestFinished(() => removeFolder(folder))
  const store = await openEmbeddedReadStore(join(folder, 'views.db'))
  onTestFinished(() => store.close())
  await store.ensure(
    'posts_v1',
    [
      ['agency', 'due'],
      ['agency', 'kind', 'due'],
    ],
    'agency',
  )
  const writes = Array.from({ length: count }, (_, index): Write => {
    const kind = kinds[index % 11] ?? '0'
    const doc = { id: `p${index}`, agency: 'a', kind, due: String((index * 7_919) % 1_000), rare: index % 997 === 0 }
    return { id: doc.id, position: '1', doc: { ...doc, words: 'often' }, isNew: true }
  })
  const other = { id: 'other', agency: 'b', kind: '0', due: '1', rare: true, words: 'often' }
  for (let from = 0; from < count; from += 1_000) await store.write('posts_v1', writes.slice(from, from + 1_000), null)
  await store.write('posts_v1', [{ id: 'other', position: '1', doc: other }], null)
  return store
}

/** No answer is kept: each search has a limit of its own. */
const nothing = (limit: number): Query => ({ where: { agency: 'a' }, sort: dueLast, filter: { rare: 'never' }, limit })

it('long searches leave the event loop to others, and another agency is answered in between', async () => {
  const store = await stocked(20_000)
  let limit = 1
  const searches = () => Promise.all(Array.from({ length: 16 }, () => store.find('posts_v1', nothing((limit += 1)))))
  const maxMs = besideOthersMs(25)
  expect(await longestBlockMs(searches, maxMs)).toBeLessThan(maxMs)

  const ended: string[] = []
  const theirs = searches().then(() => ended.push('a'))
  const query: Query = { where: { agency: 'b' }, sort: dueLast, filter: { rare: true } }
  const { items } = await store.find('posts_v1', query)
  ended.push('b')
  await theirs
  expect(items).toHaveLength(1)
  expect(ended).toEqual(['b', 'a'])
})

it('only so many searches of one agency wait, and those of another one still find a place', async () => {
  const store = await stocked(2_000)
  const asked = Array.from({ length: 100 }, (_, index) => store.find('posts_v1', nothing(index + 1)))
  const other = store.find('posts_v1', { where: { agency: 'b' }, sort: dueLast, filter: { rare: true } })
  const outcomes = await Promise.allSettled(asked)
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  expect(refused.length).toBeGreaterThan(50)
  expect(refused.every((error) => error instanceof Crowded)).toBe(true)
  expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(10)
  expect((await other).items).toHaveLength(1)
})

it('a search tells of the documents that it reads one by one, and ends when it may read no more', async () => {
  const store = await stocked(5_000)
  let read = 0
  const looked = async (documents: number) => void (read += documents)
  await store.find('posts_v1', { ...nothing(10), looked })
  expect(read).toBe(5_000)
  await store.find('posts_v1', { ...nothing(11), where: { agency: 'a', kind: { in: kinds } }, looked })
  expect(read).toBeGreaterThan(8_000)
  await store.find('posts_v1', { where: { agency: 'a' }, sort: dueLast, limit: 5, looked })
  expect(read).toBeLessThan(10_001)

  const spent = async () => Promise.reject(new Error('Nothing left'))
  await expect(store.find('posts_v1', { ...nothing(12), looked: spent })).rejects.toThrow('Nothing left')
})

it.each(['asc', 'desc'] as const)(
  'a search for several values has the same pages as one without them: %s',
  async (order) => {
    const store = await stocked(5_000)
    const sort = { field: 'due', order }
    const pagesOf = async (where: Query['where'], more: Query, limit: number) => {
      const found: unknown[] = []
      for (let cursor: string | null | undefined; cursor !== null;) {
        const query: Query = { where: { agency: 'a', ...where }, sort, limit, ...more, ...(cursor && { cursor }) }
        const page = await store.find('posts_v1', query)
        found.push(...page.items.map(({ id }) => id))
        cursor = page.next
      }
      return found
    }
    for (const [more, limit] of [
      [{ filter: { rare: true } }, 2],
      [{ filter: { rare: false } }, 900],
      [{ words: 'often' }, 700],
    ] as const) {
      const merged = await pagesOf({ kind: { in: kinds } }, more, limit)
      expect(merged.length).toBeGreaterThan(5)
      expect(merged).toEqual(await pagesOf({}, more, 1_000))
    }
  },
)

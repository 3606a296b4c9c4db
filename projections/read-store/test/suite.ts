/** The contract of every read store. Each test uses new collections, so that a shared server is enough. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findContract } from './find.suite.ts'
import type { Indexes, ReadStore, Write } from '../port.ts'
import { at, newCollection } from './samples.ts'
import { wordsContract } from './words.suite.ts'

export interface OpenedReadStore {
  readonly store: ReadStore
  /** Closes the store and opens the same documents again, if the engine persists them. */
  readonly reopen?: () => Promise<ReadStore>
  readonly cleanup: () => Promise<void>
}

export function readStoreContract(
  name: string,
  open: () => Promise<OpenedReadStore>,
  { pagedDocuments = 2500, frequentWords = 2500 } = {},
): void {
  describe(`${name} as a read store`, () => {
    let opened: OpenedReadStore
    let store: ReadStore
    beforeAll(async () => {
      opened = await open()
      store = opened.store
    })
    afterAll(() => opened.cleanup())
    const fresh = (indexes: Indexes = []) => newCollection(store, indexes)

    findContract(() => store, pagedDocuments)
    wordsContract(() => store, frequentWords)

    describe('writing', () => {
      it('stores documents as given and counts them', async () => {
        const posts = await fresh()
        const doc = { text: 'a\0b \ud800 👩‍👧 שלום', nested: { list: [1, null, true] }, flag: false, none: null }
        await store.write(posts, [put('a', 1, doc), put('ключ 🎉', 2, { n: 2 })], at(2))
        expect(await store.get(posts, 'a')).toEqual(doc)
        expect(await store.get(posts, 'ключ 🎉')).toEqual({ n: 2 })
        for (const id of ['unknown', 'nul\0', 'half \ud800']) expect(await store.get(posts, id)).toBeNull()
        expect(await store.count(posts)).toBe(2)
        expect(await store.checkpoint(posts)).toBe(at(2))
      })

      it('applies the last write of a batch to a document', async () => {
        const posts = await fresh()
        await store.write(posts, [put('a', 1, { n: 1 }), put('a', 2, { n: 2 })], at(2))
        expect(await store.getMany(posts, ['a'])).toEqual(new Map([['a', { doc: { n: 2 }, position: at(2) }]]))
      })

      it('changes nothing when a batch is replayed', async () => {
        const posts = await fresh()
        const batch = [put('a', 1, { n: 1 }), put('b', 2, { n: 2 }), put('c', 3, null)]
        await store.write(posts, batch, at(3))
        const before = await store.getMany(posts, ['a', 'b', 'c'])
        await store.write(posts, batch, at(3))
        await store.write(
          posts,
          batch.map(({ id, position }) => ({ id, position, doc: { other: true } })),
          at(3),
        )
        expect(await store.getMany(posts, ['a', 'b', 'c'])).toEqual(before)
        expect(await store.checkpoint(posts)).toBe(at(3))
      })

      it('is not misled by a writer that takes a stored document for a new one, or a new one for a stored one', async () => {
        const posts = await fresh()
        const hinted = (write: Write, isNew: boolean): Write => ({ ...write, isNew })
        await store.write(posts, [put('a', 5, { n: 5 }), put('b', 5, null)], at(5))
        await store.write(
          posts,
          [put('a', 6, { n: 6 }), put('b', 4, { n: 4 }), put('c', 6, { n: 6 })].map((write) => hinted(write, true)),
          at(6),
        )
        await store.write(posts, [hinted(put('d', 7, { n: 7 }), false), hinted(put('a', 5, { n: 5 }), false)], at(7))
        const kept = await store.getMany(posts, ['a', 'b', 'c', 'd'])
        expect(['a', 'b', 'c', 'd'].map((id) => kept.get(id)?.doc)).toEqual([{ n: 6 }, null, { n: 6 }, { n: 7 }])
      })

      it('ignores an older batch: it neither overwrites a newer one nor moves the checkpoint back', async () => {
        const posts = await fresh()
        await store.write(posts, [put('a', 5, { n: 5 })], at(9))
        await store.write(posts, [put('a', 4, { n: 4 }), put('b', 3, { n: 3 })], at(4))
        expect(await store.get(posts, 'a')).toEqual({ n: 5 })
        expect(await store.get(posts, 'b')).toEqual({ n: 3 })
        expect(await store.checkpoint(posts)).toBe(at(9))
      })

      it('moves the checkpoint even without writes', async () => {
        const posts = await fresh()
        expect(await store.checkpoint(posts)).toBeNull()
        await store.write(posts, [], at(7))
        expect(await store.checkpoint(posts)).toBe(at(7))
      })

      it('leaves the checkpoint unchanged when none is given', async () => {
        const posts = await fresh()
        await store.write(posts, [put('a', 5, { n: 5 })], null)
        expect(await store.checkpoint(posts)).toBeNull()
        await store.write(posts, [], at(7))
        await store.write(posts, [put('a', 9, { n: 9 })], null)
        expect(await store.checkpoint(posts)).toBe(at(7))
        expect(await store.get(posts, 'a')).toEqual({ n: 9 })
      })

      it('accepts a batch of thousands', async () => {
        const posts = await fresh([['n']])
        const writes = Array.from({ length: 5000 }, (_, n) => put(randomUUID(), n + 1, { n }))
        await store.write(posts, writes, at(5000))
        expect(await store.count(posts)).toBe(5000)
        expect(
          (
            await store.getMany(
              posts,
              writes.map(({ id }) => id),
            )
          ).size,
        ).toBe(5000)
      })
    })

    describe('writing to several collections together', () => {
      it('writes each part, and tells of each that failed', async () => {
        const [one, other] = [await fresh(), await fresh()]
        const gone = await fresh()
        await store.drop(gone)
        const part = (collection: string, id: string, position: number) => ({
          collection,
          writes: [put(id, position, { id })],
          checkpoint: at(position),
        })
        const outcomes = await store.writeTogether([part(one, 'a', 1), part(gone, 'b', 2), part(other, 'c', 3)])
        expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
        expect(outcomes[1]).toMatchObject({ reason: { message: `There is no collection "${gone}"` } })
        expect([await store.get(one, 'a'), await store.get(other, 'c')]).toEqual([{ id: 'a' }, { id: 'c' }])
        expect((await store.collections()).map(({ name }) => name)).not.toContain(gone)
        expect(await store.checkpoints([one, gone, other])).toEqual(
          new Map([
            [one, at(1)],
            [other, at(3)],
          ]),
        )
      })

      it('writes the other parts when one holds what no store accepts', async () => {
        const [one, other] = [await fresh(), await fresh()]
        const refused = { collection: one, writes: [put('nul\0', 1, { n: 1 })], checkpoint: at(1) }
        const outcomes = await store.writeTogether([
          refused,
          { collection: other, writes: [put('a', 1, { n: 1 })], checkpoint: at(1) },
        ])
        expect(outcomes[1]?.status).toBe('fulfilled')
        expect(await store.get(other, 'a')).toEqual({ n: 1 })
      })

      it('changes nothing when it is repeated or comes late, and moves a checkpoint without writes', async () => {
        const [one, other] = [await fresh(), await fresh()]
        const part = (position: number, n: number) => [
          { collection: one, writes: [put('a', position, { n }), put('b', position, null)], checkpoint: at(position) },
          { collection: other, writes: [], checkpoint: at(position) },
        ]
        for (const [position, n] of [
          [2, 2],
          [2, 0],
          [1, 1],
        ] as const)
          expect((await store.writeTogether(part(position, n))).map(({ status }) => status)).toEqual([
            'fulfilled',
            'fulfilled',
          ])
        expect(await store.getMany(one, ['a', 'b'])).toEqual(
          new Map([
            ['a', { doc: { n: 2 }, position: at(2) }],
            ['b', { doc: null, position: at(2) }],
          ]),
        )
        expect([...(await store.checkpoints([one, other])).values()]).toEqual([at(2), at(2)])
        await store.writeTogether([
          { collection: one, writes: [put('a', 1, { n: 1 }), put('c', 3, { n: 3 })], checkpoint: null },
        ])
        expect([await store.get(one, 'a'), await store.get(one, 'c')]).toEqual([{ n: 2 }, { n: 3 }])
      })
    })

    describe('deleting', () => {
      it('leaves a tombstone that reads neither find nor count', async () => {
        const posts = await fresh([['kind']])
        await store.write(posts, [put('a', 1, { kind: 'x' }), put('b', 2, { kind: 'x' })], at(2))
        await store.write(posts, [put('a', 3, null), put('never', 4, null)], at(4))
        expect(await store.get(posts, 'a')).toBeNull()
        expect((await store.find(posts, { where: { kind: 'x' } })).items).toEqual([{ kind: 'x' }])
        expect((await store.find(posts, { where: { kind: null } })).items).toEqual([])
        expect(await store.count(posts)).toBe(1)
        expect(await store.getMany(posts, ['a', 'never', 'unseen'])).toEqual(
          new Map([
            ['a', { doc: null, position: at(3) }],
            ['never', { doc: null, position: at(4) }],
          ]),
        )
      })

      it('is not undone by a late batch, only by a newer write', async () => {
        const posts = await fresh()
        await store.write(posts, [put('a', 5, null)], at(5))
        await store.write(posts, [put('a', 4, { late: true })], at(4))
        expect(await store.get(posts, 'a')).toBeNull()
        await store.write(posts, [put('a', 6, { back: true })], at(6))
        expect(await store.get(posts, 'a')).toEqual({ back: true })
      })

      it('is forgotten by pruning up to the given position, and documents stay', async () => {
        const posts = await fresh()
        await store.write(
          posts,
          [put('a', 1, null), put('b', 2, { n: 2 }), put('c', 3, null), put('d', 4, null)],
          at(4),
        )
        expect(await store.prune(posts, at(3))).toBe(2)
        expect([...(await store.getMany(posts, ['a', 'b', 'c', 'd'])).keys()].sort()).toEqual(['b', 'd'])
        expect(await store.prune(posts, at(3))).toBe(0)
      })
    })

    describe('collections', () => {
      it('serve a view one at a time, switched atomically', async () => {
        const view = `posts${randomUUID()}`
        const [old, next] = [await fresh(), await fresh()]
        expect(await store.live(view)).toBeNull()
        await store.swap(view, old)
        expect(await store.live(view)).toBe(old)
        await store.swap(view, next)
        expect(await store.live(view)).toBe(next)
        expect((await store.liveCollections()).get(view)).toBe(next)
      })

      it('are listed with their checkpoint until they are dropped', async () => {
        const [one, two] = [await fresh(), await fresh()]
        await store.write(one, [put('a', 1, {}), put('b', 2, null)], at(2))
        const state = async (collection: string) =>
          (await store.collections()).filter(({ name }) => name === collection)
        expect(await state(one)).toEqual([{ name: one, checkpoint: at(2) }])
        expect(await state(two)).toEqual([{ name: two, checkpoint: null }])
        await store.drop(one)
        await store.drop(one)
        expect(await state(one)).toEqual([])
        expect(await state(two)).toHaveLength(1)
      })

      it('are no longer listed, written to or switched to once they are retired, and start empty when created again', async () => {
        const posts = await fresh([['n']])
        await store.write(posts, [put('a', 9, { n: 1 })], at(9))
        await store.retire(posts)
        await store.retire(posts)
        expect((await store.collections()).map(({ name }) => name)).not.toContain(posts)
        expect(await store.checkpoints([posts])).toEqual(new Map())
        await expect(store.write(posts, [put('b', 10, { n: 2 })], at(10))).rejects.toThrow('There is no collection')
        await expect(store.swap(`posts${randomUUID()}`, posts)).rejects.toThrow('There is no collection')
        await store.ensure(posts, [['n']])
        expect([await store.checkpoint(posts), await store.count(posts)]).toEqual([null, 0])
      })

      it('start empty when created again after a drop', async () => {
        const posts = await fresh([['n']])
        await store.write(posts, [put('a', 9, { n: 1 })], at(9))
        await store.drop(posts)
        await store.ensure(posts, [['n']])
        expect(await store.checkpoint(posts)).toBeNull()
        await store.write(posts, [put('a', 1, { n: 2 })], at(1))
        expect((await store.find(posts, { where: { n: 2 } })).items).toEqual([{ n: 2 }])
      })

      it('keep their documents when ensured again with more indexes', async () => {
        const posts = await fresh()
        await store.write(posts, [put('a', 1, { n: 1 })], at(1))
        await store.ensure(posts, [['n']])
        expect((await store.find(posts, { where: { n: 1 } })).items).toEqual([{ n: 1 }])
      })

      it('accept only names that suit every engine', async () => {
        for (const name of ['', 'Posts', '1posts', 'posts-v1', 'posts; drop']) {
          await expect(store.ensure(name, [])).rejects.toThrow()
        }
      })
    })

    it('keeps documents, checkpoints and live collections after reopening', async ({ skip }) => {
      if (!opened.reopen) return skip()
      const posts = await fresh([['n']])
      await store.write(posts, [put('a', 1, { n: 1 })], at(1))
      await store.swap('reopened', posts)
      store = await opened.reopen()
      expect(await store.live('reopened')).toBe(posts)
      expect(await store.checkpoint(posts)).toBe(at(1))
      expect((await store.find(posts, { where: { n: 1 } })).items).toEqual([{ n: 1 }])
    })

    it('refuses every call once it is closed', async () => {
      const other = await open()
      const posts = await newCollection(other.store, [])
      await other.store.close()
      await expect(other.store.get(posts, 'a')).rejects.toThrow()
      await expect(other.store.write(posts, [], at(1))).rejects.toThrow()
      await other.cleanup()
    })
  })
}

function put(id: string, position: number, doc: Write['doc']): Write {
  return { id, position: at(position), doc }
}

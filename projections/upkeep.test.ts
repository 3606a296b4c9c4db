/** @module-tag sampled */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { around } from '../domain/test/around.ts'
import { patience } from '../domain/test/patience.ts'
import { deleted, submitted, written } from '../domain/post/test/examples.ts'
import { commands, exitCodes } from './commands.ts'
import { Projector } from './core/projector.ts'
import { contents, tallyProjection, temporaryStores, type TestStores } from './core/test/helpers.ts'
import { postsProjection } from './posts/projection.ts'
import { Progress } from './progress.ts'
import { rebuildProjection } from './rebuild.ts'
import { projections } from './registry.ts'
import { prune, statusOf } from './upkeep.ts'
import { NothingToVerify, verifyProjection } from './verify.ts'
import { sample } from '../domain/test/sample.ts'

let on: TestStores
beforeEach(async () => {
  on = await temporaryStores()
})
afterEach(() => on.remove())

/** Folds all events, then stops. */
async function caughtUp(run = projections): Promise<void> {
  const projector = new Projector(run, {
    events: on.events,
    store: on.store,
    onError: (_, error) => {
      throw error
    },
  })
  await projector.start()
  await projector.stop()
}

async function posts(count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, i) => on.log.write(`post-p${i}`, written, submitted)))
}
const bytes = async (collection: string) => JSON.stringify([...(await contents(on.store, collection))])
const tampered = { id: 'p3', doc: { id: 'p3', status: 'approved' }, position: '0000000000000008' }

describe('Verifying', () => {
  it('finds no difference when the documents match the log', { tags: 'long' }, async () => {
    await posts(sample('REBUILD_ROWS', { test: 300, long: 2_500 }))
    await caughtUp()
    for (const projection of projections) expect(await verifyProjection(projection, on.events, on.store)).toEqual([])
    expect((await on.store.collections()).map(({ name }) => name).filter((name) => /_g/.test(name))).toEqual([])
  })

  it('lists every document that was changed, lost or invented [S89]', { tags: 'long' }, async () => {
    await posts(1_200)
    await caughtUp()
    const kept = (await on.store.getMany('posts_v5', ['p3'])).get('p3')
    const later = '0000000000009999'
    await on.store.write(
      'posts_v5',
      [
        { id: 'p3', doc: { ...kept?.doc, status: 'approved' }, position: later },
        { id: 'p5', doc: null, position: later },
        { id: 'ghost', doc: { id: 'ghost' }, position: later },
      ],
      null,
    )
    expect(await verifyProjection(postsProjection, on.events, on.store)).toEqual([
      { id: 'ghost', problem: 'not-in-the-log' },
      { id: 'p3', problem: 'changed' },
      { id: 'p5', problem: 'missing' },
    ])
  })

  it('detects a wrong position of a correct document', async () => {
    await posts(3)
    await caughtUp()
    const kept = (await on.store.getMany('posts_v5', ['p1'])).get('p1')
    await on.store.write('posts_v5', [{ id: 'p1', doc: kept?.doc ?? null, position: '0000000000009999' }], null)
    expect(await verifyProjection(postsProjection, on.events, on.store)).toEqual([{ id: 'p1', problem: 'changed' }])
  })

  it("compares with the log up to the documents' checkpoint", async () => {
    await posts(3)
    await caughtUp()
    await on.log.write('post-p1', deleted)
    expect(await verifyProjection(postsProjection, on.events, on.store)).toEqual([])
    await caughtUp()
    expect(await verifyProjection(postsProjection, on.events, on.store)).toEqual([])
  })

  it('tolerates documents that change meanwhile', { tags: 'long' }, async () => {
    await posts(600)
    const projector = new Projector([postsProjection], { events: on.events, store: on.store, onError: () => {} })
    await projector.start()
    const verifying = new AbortController()
    const writing = (async () => {
      for (let i = 0; !verifying.signal.aborted; i++) await on.log.write(`post-later${i}`, written, submitted)
    })()
    for (let i = 0; i < 3; i++) expect(await verifyProjection(postsProjection, on.events, on.store)).toEqual([])
    verifying.abort()
    await writing
    await projector.stop()
  })

  it('ends although a document changes before each look at it', async () => {
    const tally = tallyProjection()
    const projector = new Projector([tally], { events: on.events, store: on.store, onError: () => {} })
    await posts(3)
    await projector.start()
    let looks = 0
    const store = around(on.store, async (name, call, args) => {
      if (name === 'getMany' && args[0] === 'tally_v1') {
        if (++looks > 20) throw new Error('There are too many looks')
        await projector.waitFor([await on.log.write(`post-during${looks}`, written)], patience.timeout)
      }
      return call()
    })
    expect(await verifyProjection(tally, on.events, store)).toEqual([])
    await on.store.write('tally_v1', [{ id: 'all', doc: { id: 'all', written: 99 }, position: '9'.repeat(16) }], null)
    looks = 0
    expect(await verifyProjection(tally, on.events, store)).toEqual([{ id: 'all', problem: 'changed' }])
    await projector.stop()
  })

  it('says so when this version has no documents yet', async () => {
    await expect(verifyProjection(postsProjection, on.events, on.store)).rejects.toThrow(NothingToVerify)
  })
})

describe('A rebuild without a running projector', () => {
  it('repairs tampered documents, byte for byte, and drops the replaced ones', { tags: 'long' }, async () => {
    await posts(1_200)
    await caughtUp()
    const before = await bytes('posts_v5')
    await on.store.write('posts_v5', [{ ...tampered, position: '0000000000009999' }], null)
    await rebuildProjection(postsProjection, on.events, on.store)
    expect(await on.store.live('posts')).toBe('posts_v5_g1')
    expect(await bytes('posts_v5_g1')).toBe(before)
    expect((await on.store.collections()).map(({ name }) => name)).not.toContain('posts_v5')
    expect(await verifyProjection(postsProjection, on.events, on.store)).toEqual([])
  })

  it('that is aborted leaves the live documents unchanged', { tags: 'long' }, async () => {
    await posts(1_200)
    await caughtUp()
    const before = await bytes('posts_v5')
    const abort = new AbortController()
    await expect(
      rebuildProjection(postsProjection, on.events, on.store, { signal: abort.signal, onBatch: () => abort.abort() }),
    ).rejects.toThrow(/abort/i)
    expect(await on.store.live('posts')).toBe('posts_v5')
    expect(await bytes('posts_v5')).toBe(before)
  })

  it('is continued by the next start from its checkpoint', async () => {
    await posts(10)
    await rebuildProjection(postsProjection, on.events, on.store)
    await on.log.write('post-after', written)
    await caughtUp()
    expect(await on.store.live('posts')).toBe('posts_v5_g1')
    expect(await on.store.count('posts_v5_g1')).toBe(11)
  })
})

describe('Pruning', () => {
  it('drops unused collections and forgets tombstones, and reads continue as before', async () => {
    await posts(5)
    await on.log.write('post-p1', deleted)
    await caughtUp([tallyProjection(), postsProjection])
    await caughtUp([tallyProjection({ version: 2 }), postsProjection])
    await on.store.ensure('posts_v5_g7', [])
    await on.store.ensure('forgotten_v3', [])
    const before = await bytes('posts_v5')
    expect(await prune([tallyProjection({ version: 2 }), postsProjection], on.store)).toEqual({
      dropped: ['forgotten_v3', 'posts_v5_g7', 'tally_v1'],
      tombstones: 1,
    })
    expect(await bytes('posts_v5')).toBe(before)
    expect(await verifyProjection(postsProjection, on.events, on.store)).toEqual([])
  })

  it('keeps an old version that still serves reads, and the new one being built', async () => {
    await posts(1)
    await caughtUp([tallyProjection()])
    await on.store.ensure('tally_v2', [])
    expect((await prune([tallyProjection({ version: 2 })], on.store)).dropped).toEqual([])
  })
})

describe('The status', () => {
  it('shows position, lag, documents and live collection', async () => {
    await posts(3)
    await caughtUp([tallyProjection(), postsProjection])
    await on.log.write('post-late', written)
    expect(await statusOf([tallyProjection({ version: 2 }), postsProjection], on.events, on.store)).toEqual([
      {
        name: 'tally',
        version: 2,
        live: 'tally_v1',
        isOfVersion: false,
        position: '0000000000000006',
        lag: 1,
        documents: 1,
      },
      {
        name: 'posts',
        version: 5,
        live: 'posts_v5',
        isOfVersion: true,
        position: '0000000000000006',
        lag: 1,
        documents: 3,
      },
    ])
  })
})

describe("The projections' commands", () => {
  const lines = () => {
    const written: string[] = []
    return { written, screen: { write: (text: string) => written.push(text) } }
  }
  it('return reliable exit codes', async () => {
    const { written, screen } = lines()
    const { rebuild, verify, status } = commands({ screen })
    await posts(3)
    expect(await verify(on, ['posts'])).toBe(exitCodes.ok)
    expect(await rebuild(on, [], true)).toBe(exitCodes.ok)
    expect(await verify(on, [])).toBe(exitCodes.ok)
    await on.store.write('posts_v5_g1', [{ ...tampered, id: 'p1', position: '0000000000009999' }], null)
    expect(await verify(on, ['posts'])).toBe(exitCodes.differs)
    expect(written.join('')).toContain('  changed: p1\n')
    expect(await status(on)).toBe(exitCodes.ok)
    expect(written.join('')).toMatch(/posts +v5 +posts_v5_g1 +0000000000000006 +0 +3/)
  })
  it('list the known names when given an unknown one', async () => {
    const { rebuild } = commands({ screen: lines().screen })
    await expect(rebuild(on, ['poste'], false)).rejects.toThrow(
      /^There is no projection named poste. There are: agency, clients/,
    )
    await expect(rebuild(on, [], false)).rejects.toThrow('Name the projections to rebuild, or use --all.')
  })
})

describe('Progress', () => {
  const shown = (isTTY: boolean) => {
    let at = 0
    const written: string[] = []
    const progress = new Progress('posts', 20_000, { isTTY, write: (text) => written.push(text) }, () => at)
    for (at = 0; at < 10_000; at += 1_000) progress.add(2_000)
    progress.end('rebuilt')
    return written
  }
  it('is a bar on a terminal, redrawn in place', () => {
    const written = shown(true)
    expect(written[4]).toBe(
      '\rposts            [##############----------] 12,000/20,000 events, 2,400 ev/s, 4 s left\u001b[K',
    )
    expect(written.at(-1)).toBe('\r\u001b[Kposts: rebuilt, 20,000 events in 10.0 s\n')
  })
  it('is a line at intervals elsewhere', () => {
    const written = shown(false)
    expect(written).toEqual([
      'posts: 12,000/20,000 events, 2,400 ev/s, 4 s left\n',
      'posts: rebuilt, 20,000 events in 10.0 s\n',
    ])
  })
})

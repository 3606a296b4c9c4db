/** @module-tag sampled */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { patience } from '../../domain/test/patience.ts'
import { submitted, written } from '../../domain/post/test/examples.ts'
import { postsProjection } from '../posts/projection.ts'
import type { ReadStore } from '../read-store/port.ts'
import { buildBeside } from './beside.ts'
import type { Projection } from './projection.ts'
import { Projector } from './projector.ts'
import {
  contents,
  tallyProjection,
  temporaryStores,
  type TallyOptions,
  type TestStores,
  type Written,
} from './test/helpers.ts'
import { viewReader } from './views.ts'
import { sample } from '../../domain/test/sample.ts'

let on: TestStores
let projector: Projector

beforeEach(async () => {
  on = await temporaryStores()
})
afterEach(async () => {
  await projector.stop()
  await on.remove()
})

async function run(...projections: readonly Projection[]): Promise<Projector> {
  projector = new Projector(projections, { events: on.events, store: on.store, onError: () => {} })
  await projector.start()
  return projector
}

async function posts(count: number, prefix = 'p'): Promise<Written> {
  const lives = Array.from({ length: count }, (_, i) => on.log.write(`post-${prefix}${i}`, written, submitted))
  const last = (await Promise.all(lives)).at(-1)
  if (!last) throw new Error('No posts')
  return last
}

/** Folds the same projection afresh, and keeps the result for a comparison. */
async function folded(projection: Projection): Promise<string> {
  let bytes = ''
  await buildBeside(projection, on, {}, async ({ collection }) => {
    bytes = JSON.stringify([...(await contents(on.store, collection))])
  })
  return bytes
}
const bytesOf = async (view: string) => JSON.stringify([...(await contents(on.store, projector.live.of(view)))])

const rows = sample('REBUILD_ROWS', { test: 600, long: 3_000 })

describe('A rebuild', () => {
  it.each([
    [true, 'ensure with 1, write'],
    [false, 'ensure with 0, write, ensure with 1'],
  ])('creates its indexes before the first document if an index blocks the process: %s', async (blocks, expected) => {
    await run(postsProjection)
    await projector.waitFor([await posts(1)], patience.timeout)
    const steps: string[] = []
    const store: ReadStore = new Proxy(on.store, {
      get(target, name) {
        if (name === 'blocksWhileIndexing') return blocks
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        return (...args: unknown[]) => {
          if (name === 'ensure') steps.push(`ensure with ${(args[1] as readonly unknown[]).length}`)
          if (name === 'write' && (args[1] as readonly unknown[]).length > 0) steps.push('write')
          return Reflect.apply(value, target, args)
        }
      },
    })
    await buildBeside(postsProjection, { events: on.events, store }, {}, async () => {})
    expect([...new Set(steps)].join(', ')).toBe(expected)
    expect(steps.filter((step) => step.startsWith('ensure'))).toHaveLength(blocks ? 1 : 2)
  })

  it(
    'during live appends never exposes a half-built view, and ends equal to a fresh fold',
    { tags: 'long' },
    async () => {
      await run(postsProjection)
      await projector.waitFor([await posts(rows)], patience.timeout)
      const reader = viewReader(on.store, projector.live, postsProjection)
      const counts: number[] = []
      const done = new AbortController()
      const writing = (async () => {
        for (let i = 0; !done.signal.aborted; i++) {
          const landed = await on.log.write(`post-during${i}`, written, submitted)
          // Read-your-writes also holds across the switch.
          expect(await projector.waitFor([landed], patience.timeout)).toBe(true)
          expect(await reader.get(`during${i}`)).toMatchObject({ status: 'pending' })
        }
      })()
      const reading = (async () => {
        while (!done.signal.aborted) {
          counts.push(await reader.count(), (await reader.all({})).length)
          await new Promise((resolve) => setImmediate(resolve))
        }
      })()
      for (let generation = 1; generation <= 3; generation++) {
        await projector.runner('posts').rebuild()
        expect(projector.live.of('posts')).toBe(`posts_v5_g${generation}`)
      }
      done.abort()
      await Promise.all([writing, reading])
      expect(Math.min(...counts)).toBeGreaterThanOrEqual(rows)
      expect(counts).toEqual(counts.toSorted((a, b) => a - b))
      expect(await bytesOf('posts')).toBe(await folded(postsProjection))
      expect((await on.store.collections()).map(({ name }) => name)).toEqual(['posts_v5_g3'])
    },
  )

  it('that is aborted leaves the live view unchanged, and the next one succeeds', { tags: 'long' }, async () => {
    await run(postsProjection)
    await projector.waitFor([await posts(1_200)], patience.timeout)
    const before = await bytesOf('posts')
    const abort = new AbortController()
    const rebuilding = projector.runner('posts').rebuild({ signal: abort.signal, onBatch: () => abort.abort() })
    await expect(rebuilding).rejects.toThrow(/abort/i)
    expect(projector.live.of('posts')).toBe('posts_v5')
    expect(await bytesOf('posts')).toBe(before)
    expect((await on.store.collections()).map(({ name }) => name)).toEqual(['posts_v5'])

    const after = await on.log.write('post-after', written)
    expect(await projector.waitFor([after], patience.timeout)).toBe(true)
    await projector.runner('posts').rebuild()
    expect(await on.store.live('posts')).toBe('posts_v5_g1')
  })

  it('is refused while another one of the same view is running', async () => {
    await run(postsProjection, tallyProjection())
    await posts(50)
    const first = projector.runner('posts').rebuild()
    await expect(projector.runner('posts').rebuild()).rejects.toThrow('The projection posts is being rebuilt already')
    await projector.runner('tally').rebuild()
    await first
    await projector.runner('posts').rebuild()
    expect(projector.live.of('posts')).toBe('posts_v5_g2')
  })

  it('is refused for a view that is not running', async () => {
    await run(tallyProjection())
    await projector.stop()
    await expect(projector.runner('tally').rebuild()).rejects.toThrow('The projection tally is not running')
  })

  it('fails on an event that the projection can not handle, and the live view continues', async () => {
    const broken = { now: false }
    const options: TallyOptions = {
      before: () => {
        if (broken.now) throw new Error('no idea')
      },
    }
    await run(tallyProjection(options))
    await projector.waitFor([await posts(20)], patience.timeout)
    broken.now = true
    await expect(projector.runner('tally').rebuild()).rejects.toThrow(
      "tally can't apply PostWritten (revision 0 of post-p0): no idea",
    )
    broken.now = false
    expect(await projector.waitFor([await posts(1, 'q')], patience.timeout)).toBe(true)
    expect(projector.health).toMatchObject([{ state: 'live', error: null }])
    expect(await viewReader(on.store, projector.live, tallyProjection()).get('all')).toMatchObject({ written: 21 })
  })

  it('stops with its projector, and leaves nothing half-built', { tags: 'long' }, async () => {
    await run(postsProjection)
    await projector.waitFor([await posts(1_200)], patience.timeout)
    const rebuilding = expect(projector.runner('posts').rebuild()).rejects.toThrow(/abort/i)
    await projector.stop()
    await rebuilding
    expect(projector.health).toMatchObject([{ state: 'stopped' }])
    expect((await on.store.collections()).map(({ name }) => name)).toEqual(['posts_v5'])
  })

  it('repairs a view that was tampered with', async () => {
    await run(tallyProjection())
    await projector.waitFor([await posts(3)], patience.timeout)
    await on.store.write('tally_v1', [{ id: 'all', doc: { id: 'all', written: 99 }, position: '9'.repeat(16) }], null)
    await projector.runner('tally').rebuild()
    expect(await viewReader(on.store, projector.live, tallyProjection()).get('all')).toMatchObject({
      written: 3,
      submitted: 3,
    })
  })
})

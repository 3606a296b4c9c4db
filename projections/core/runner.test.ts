import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { patience } from '../../domain/test/patience.ts'
import { submitted, written } from '../../domain/post/test/examples.ts'
import { projections } from '../registry.ts'
import type { Projection } from './projection.ts'
import { Projector } from './projector.ts'
import { contents, tallyProjection, temporaryStores, type TestStores } from './test/helpers.ts'
import { viewReader } from './views.ts'

let on: TestStores
let running: Projector[] = []
const errors: string[] = []

beforeEach(async () => {
  on = await temporaryStores()
  running = []
  errors.length = 0
})
afterEach(async () => {
  await Promise.all(running.map((projector) => projector.stop()))
  await on.remove()
})

function projector(...run: readonly Projection[]): Projector {
  const onError = (_: string, error: unknown) => void errors.push(String(error))
  const made = new Projector(run, { events: on.events, store: on.store, onError })
  running.push(made)
  return made
}

const tallied = (made: Projector, view = 'tally') =>
  viewReader<{ written: number; submitted: number }>(on.store, made.live, { name: view, version: 1 }).get('all')
const bytes = async (collection: string) => JSON.stringify([...(await contents(on.store, collection))])

/** Appends this many posts, each written and submitted. */
async function posts(count: number, prefix = 'p') {
  const lives = Array.from({ length: count }, async (_, i) => {
    await on.log.write(`post-${prefix}${i}`, written)
    return on.log.write(`post-${prefix}${i}`, submitted)
  })
  return Promise.all(lives)
}

/** Resolves once a condition holds; the test's own timeout is the limit. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setImmediate(resolve))
}

describe('Catching up', () => {
  it('in batches yields the same documents as following event by event', async () => {
    const live = projector(...projections)
    await live.start()
    for (let i = 0; i < 40; i++) await on.log.write(`post-x${i}`, written, submitted)
    const [last] = await posts(1)
    if (last) expect(await live.waitFor([last], patience.timeout)).toBe(true)
    await live.stop()
    const followed = await bytes(live.live.of('posts'))
    await on.store.swap('posts', await emptied(live.live.of('posts')))

    const behind = projector(...projections)
    await behind.start()
    expect(await bytes(behind.live.of('posts'))).toBe(followed)
  })

  it('continues at its checkpoint, and counts no event twice', async () => {
    const first = projector(tallyProjection())
    await first.start()
    await posts(10)
    await first.stop()
    await posts(10, 'q')
    const second = projector(tallyProjection())
    await second.start()
    expect(await tallied(second)).toMatchObject({ written: 20, submitted: 20 })
  })

  it('can be stopped midway, and nothing touches the stores after that', async () => {
    await posts(600)
    const made = projector(tallyProjection())
    const started = made.start()
    await made.stop()
    await started
    expect(made.health[0]?.state).toBe('stopped')
    const again = projector(tallyProjection())
    await again.start()
    expect(await tallied(again)).toMatchObject({ written: 600, submitted: 600 })
  })
})

describe('Reading your own writes', () => {
  it('waits until the view contains the event, and no longer', async () => {
    const made = projector(tallyProjection())
    await made.start()
    for (let round = 1; round <= 50; round++) {
      const landed = await on.log.write(`post-${round}`, written)
      expect(await made.waitFor([landed], patience.timeout)).toBe(true)
      expect(await tallied(made)).toMatchObject({ written: round })
    }
  })

  it('returns at once for an event that is already there, also by its append’s later position', async () => {
    const made = projector(tallyProjection())
    await made.start()
    const [first] = await posts(1)
    const { position } = await on.log.write('agency-1', { type: 'PaymentFellOverdue', data: {} })
    if (!first) return
    expect(await made.waitFor([first], patience.timeout)).toBe(true)
    expect(await made.waitFor([{ ...first, position }], patience.timeout)).toBe(true)
  })

  it('does not wait for views that do not handle the event', async () => {
    const made = projector(tallyProjection())
    await made.start()
    const landed = await on.log.write('agency-1', { type: 'PaymentFellOverdue', data: {} })
    expect(await made.waitFor([landed], 0)).toBe(true)
  })

  it('times out, and says so', async () => {
    const stuck = tallyProjection({
      before: () => {
        throw new Error('stuck')
      },
    })
    const made = projector(stuck)
    await made.start()
    const landed = await on.log.write('post-1', written)
    expect(await made.waitFor([landed], 100)).toBe(false)
  })

  it('ends a wait that began during catching up once the view has caught up', async () => {
    const lives = await posts(300)
    const made = projector(tallyProjection())
    const waits = lives.map((landed) => made.waitFor([landed], patience.timeout))
    await made.start()
    expect((await Promise.all(waits)).every(Boolean)).toBe(true)
  })

  it('returns false when the projector stops', async () => {
    const made = projector(tallyProjection())
    await made.start()
    const waiting = made.waitFor(
      [{ type: 'PostWritten', stream: 'post-never', revision: 0, position: '9'.repeat(16) }],
      60_000,
    )
    await made.stop()
    expect(await waiting).toBe(false)
  })
})

describe('A failing event', () => {
  it('blocks only its own projection, and health states the cause, until it can be handled', async () => {
    let isBroken = true
    const fragile = tallyProjection({
      name: 'fragile',
      before: ({ stream }) => {
        if (isBroken && stream === 'post-bad') throw new Error('no idea')
      },
    })
    const made = projector(fragile, tallyProjection())
    await made.start()
    await on.log.write('post-good', written)
    await on.log.write('post-bad', written)
    const after = await on.log.write('post-after', written)

    await until(() => made.health[0]?.state === 'failing')
    expect(made.health[0]?.error).toBe("fragile can't apply PostWritten (revision 0 of post-bad): no idea")
    expect(await made.runner('tally').waitFor(after, patience.timeout)).toBe(true)
    expect(made.health[1]).toMatchObject({ state: 'live', error: null })
    expect(await tallied(made, 'fragile')).toMatchObject({ written: 1 })

    isBroken = false
    expect(await made.waitFor([after], patience.timeout)).toBe(true)
    expect(made.health[0]).toMatchObject({ state: 'live', error: null })
    expect(await tallied(made, 'fragile')).toMatchObject({ written: 3 })
  })

  it('at startup blocks neither the start nor the other projections', async () => {
    await on.log.write('post-bad', written)
    const broken = tallyProjection({
      name: 'broken',
      before: () => {
        throw new Error('no idea')
      },
    })
    const made = projector(broken, tallyProjection())
    await made.start()
    expect(made.health.map(({ state }) => state)).toEqual(['failing', 'live'])
    expect(() => made.live.of('broken')).toThrow('The view broken is not there yet')
    expect(errors[0]).toContain('no idea')
  })

  it('in the middle of a batch, even one without computable keys, loses none of the events around it', async () => {
    let isBroken = true
    const fragile = tallyProjection({
      keys: ({ stream }) => {
        if (isBroken && stream === 'post-bad') throw new Error('no idea')
        return ['all']
      },
    })
    for (const stream of ['post-good', 'post-bad', 'post-after']) await on.log.write(stream, written)
    const made = projector(fragile)
    await made.start()
    expect(made.health[0]).toMatchObject({
      state: 'failing',
      error: "tally can't apply PostWritten (revision 0 of post-bad): no idea",
    })

    isBroken = false
    expect(await made.waitFor([await on.log.write('post-last', written)], patience.timeout)).toBe(true)
    expect(await tallied(made)).toMatchObject({ written: 4 })
  })

  it('leaves all of its documents unchanged', async () => {
    const both = tallyProjection({
      keys: () => ['all', 'other'],
      before: ({ stream }) => {
        if (stream === 'post-bad') throw new Error('no idea')
      },
    })
    const made = projector(both)
    await made.start()
    await on.log.write('post-1', written)
    await on.log.write('post-bad', written)
    await until(() => made.health[0]?.state === 'failing')
    const reader = viewReader<{ written: number }>(on.store, made.live, { name: 'tally', version: 1 })
    expect(await reader.all({})).toMatchObject([{ written: 1 }, { written: 1 }])
  })
})

it('A failed write is repeated from the stored state: nothing is lost, nothing counted twice', async () => {
  let isBroken = false
  // No store accepts an id with a NUL in it, so the whole batch is refused.
  const keys = ({ stream }: { readonly stream: string }) =>
    isBroken && stream === 'post-bad' ? ['all', 'nul\0'] : ['all']
  const made = projector(tallyProjection({ keys }))
  await made.start()
  await posts(5)
  await until(async () => (await tallied(made))?.submitted === 5)
  isBroken = true
  await Promise.all([posts(20, 'q'), on.log.write('post-bad', written)])
  await until(() => made.health[0]?.state === 'failing')
  isBroken = false
  const last = await on.log.write('post-last', written)
  expect(await made.waitFor([last], patience.timeout)).toBe(true)
  expect(await tallied(made)).toMatchObject({ written: 27, submitted: 25 })
})

describe('A new version', () => {
  it('is built beside the old one, which serves reads until the new one has caught up', async () => {
    const old = projector(tallyProjection())
    await old.start()
    await posts(5)
    await until(async () => (await tallied(old))?.submitted === 5)
    await old.stop()

    let isBroken = true
    const before = () => {
      if (isBroken) throw new Error('not yet')
    }
    const next = projector(tallyProjection({ version: 2, before }))
    await next.start()
    expect(next.live.of('tally')).toBe('tally_v1')
    expect(await tallied(next)).toMatchObject({ written: 5, submitted: 5 })

    isBroken = false
    await until(() => next.live.of('tally') === 'tally_v2')
    expect(await tallied(next)).toMatchObject({ written: 10, submitted: 10 })
    expect(await on.store.live('tally')).toBe('tally_v2')
  })

  it('can be rolled back: the older version catches up and serves again', async () => {
    for (const version of [1, 2, 1]) {
      const made = projector(tallyProjection({ version }))
      await made.start()
      const [last] = await posts(1, `v${running.length}`)
      if (last) await made.waitFor([last], patience.timeout)
      expect(made.live.of('tally')).toBe(`tally_v${version}`)
      expect(await tallied(made)).toMatchObject({ written: running.length * version })
      await made.stop()
    }
  })
})

/** Replaces a collection with an empty one. */
async function emptied(collection: string): Promise<string> {
  await on.store.drop(collection)
  await on.store.ensure(collection, [])
  return collection
}

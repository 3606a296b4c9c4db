import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { patience } from '../../domain/test/patience.ts'
import { StoreUnavailable } from '../../domain/event-store/port.ts'
import { submitted, written } from '../../domain/post/test/examples.ts'
import { RemoteProjectionWatcher } from './remote-projection-watcher.ts'
import { pause } from './pause.ts'
import { Projector } from './projector.ts'
import { tallyProjection, temporaryStores, type Tally, type TestStores } from './test/helpers.ts'
import { viewReader } from './views.ts'

const tally = tallyProjection()
let on: TestStores
let projector: Projector
let elsewhere: RemoteProjectionWatcher
let complaints: string[]
beforeEach(async () => {
  on = await temporaryStores()
  complaints = []
  projector = new Projector([tally], { events: on.events, store: on.store, onError: () => undefined })
  elsewhere = new RemoteProjectionWatcher(
    [tally],
    { events: on.events, store: on.store, onError: (view) => void complaints.push(view) },
    { lookEveryMs: 3_600_000 },
  )
})
afterEach(async () => {
  elsewhere.stop()
  await projector.stop()
  await on.remove()
})
const read = () => viewReader<Tally>(on.store, elsewhere.live, { name: 'tally', version: 1 }).get('all')

describe('A view built by another process', () => {
  it('is reported as missing until it is built', async () => {
    await elsewhere.start()
    expect(elsewhere.notReady()).toEqual(['tally is not there yet'])
    await expect(read()).rejects.toMatchObject({ name: 'StoreUnavailable' })
    await projector.start()
    const landed = await on.log.write('post-a', written)
    expect(await elsewhere.waitFor([landed], patience.timeout)).toBe(true)
    expect(elsewhere.notReady()).toEqual([])
    expect(await read()).toMatchObject({ written: 1 })
  })

  it('contains each awaited event, with many concurrent waits', async () => {
    await projector.start()
    await elsewhere.start()
    await Promise.all(
      Array.from({ length: 100 }, async (_, n) => {
        const landed = await on.log.write(`post-p${n}`, written, submitted)
        expect(await elsewhere.waitFor([landed], patience.timeout)).toBe(true)
        expect((await read())?.written).toBeGreaterThan(0)
      }),
    )
    expect(await read()).toMatchObject({ written: 100, submitted: 100 })
  })

  it('is not looked up again before the last look has ended', async () => {
    let looks = 0
    let answer = () => {}
    const store = {
      checkpoints: async () => new Map(),
      liveCollections: () => {
        looks += 1
        return new Promise<Map<string, string>>((resolve) => (answer = () => resolve(new Map())))
      },
    }
    const onError = () => undefined
    const slow = new RemoteProjectionWatcher([tally], { events: on.events, store, onError }, { lookEveryMs: 5 })
    const started = slow.start()
    answer()
    await started
    await expect.poll(() => looks).toBe(2)
    await pause(100)
    expect(looks).toBe(2)
    answer()
    await expect.poll(() => looks).toBe(3)
    slow.stop()
  })

  it('is not awaited beyond the timeout', async () => {
    await projector.start()
    await elsewhere.start()
    await projector.stop()
    const landed = await on.log.write('post-a', written)
    expect(await elsewhere.waitFor([landed], 50)).toBe(false)
  })

  it('satisfies a wait for an append whose last event it does not handle', async () => {
    const first = await on.log.write('post-a', written)
    const last = await on.log.write('post-a', submitted)
    await projector.start()
    await elsewhere.start()
    const both = [
      { ...first, position: last.position },
      { ...last, type: 'PostFramed' },
    ]
    // This view handles only the first event type, so it never reaches the position of the second event.
    const [only] = [tallyProjection({ name: 'writings' })].map((one) => ({ ...one, types: ['PostWritten'] }))
    if (!only) throw new Error('There is no projection')
    const follower = new Projector([only], { events: on.events, store: on.store, onError: () => undefined })
    await follower.start()
    const other = new RemoteProjectionWatcher([only], { events: on.events, store: on.store, onError: () => undefined })
    await other.start()
    expect(await other.waitFor(both, patience.timeout)).toBe(true)
    other.stop()
    await follower.stop()
  })

  it.each([
    ['fails', () => Promise.reject(new StoreUnavailable('The log is away'))],
    ['does not answer', () => new Promise<never>(() => undefined)],
  ])('is not awaited beyond the timeout while the log %s', async (_, answer) => {
    await projector.start()
    const first = await on.log.write('post-a', written)
    const last = { ...first, type: 'PostFramed', revision: first.revision + 1 }
    const events = {
      async *read() {
        yield await answer()
      },
    }
    const other = new RemoteProjectionWatcher([tally], { events, store: on.store, onError: () => undefined })
    await other.start()
    expect(await other.waitFor([first, last], 50)).toBe(false)
    other.stop()
  })

  it('is not awaited for events that it does not handle', async () => {
    await elsewhere.start()
    expect(
      await elsewhere.waitFor(
        [{ type: 'ClientAdded', stream: 'agency-a', revision: 0, position: '9' }],
        patience.timeout,
      ),
    ).toBe(true)
  })

  it('is found after a rebuild, although the collection read before is gone', async () => {
    await projector.start()
    await on.log.write('post-a', written)
    await elsewhere.start()
    await projector.runner('tally').rebuild()
    expect(await read()).toMatchObject({ written: 1 })
    const landed = await on.log.write('post-b', written)
    await projector.runner('tally').rebuild()
    expect(await elsewhere.waitFor([landed], patience.timeout)).toBe(true)
    expect(await read()).toMatchObject({ written: 2 })
  })
})

it('An unavailable store is reported once, and polled again', async () => {
  await projector.start()
  let isAway = true
  const moody = {
    checkpoints: (collections: readonly string[]) => on.store.checkpoints(collections),
    liveCollections: () => (isAway ? Promise.reject(new Error('away')) : on.store.liveCollections()),
  }
  const follower = new RemoteProjectionWatcher(
    [tally],
    { events: on.events, store: moody, onError: (view) => void complaints.push(view) },
    { lookEveryMs: 5 },
  )
  await follower.start()
  await expect.poll(() => follower.notReady()).toEqual(['tally: away'])
  isAway = false
  await expect.poll(() => follower.notReady()).toEqual([])
  expect(complaints).toEqual(['all'])
  follower.stop()
})

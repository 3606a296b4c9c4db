import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { patience } from '../../domain/test/patience.ts'
import { submitted, written } from '../../domain/post/test/examples.ts'
import { Runner } from './runner.ts'
import { tallyProjection, temporaryStores, type TestStores, type Written } from './test/helpers.ts'

let on: TestStores
let runner: Runner
/** How many events the projection handles before it blocks. */
let left: number
beforeEach(async () => {
  on = await temporaryStores()
  left = Number.POSITIVE_INFINITY
  const before = () => {
    if (left === 0) throw new Error('It stands still')
    left -= 1
  }
  runner = new Runner(tallyProjection({ before }), {
    events: on.events,
    store: on.store,
    onSwitch: () => {},
    onError: () => {},
  })
})
afterEach(async () => {
  await runner.stop()
  await on.remove()
})
const posts = (count: number, prefix = 'p') =>
  Promise.all(Array.from({ length: count }, (_, n) => on.log.write(`post-${prefix}${n}`, written, submitted)))
const counted = () => runner.health.backlog?.events
const arrived = (events: number) => expect.poll(counted).toBe(events)

describe('The backlog of a projection', () => {
  it('is unknown until the projection has caught up, then zero', async () => {
    await posts(3)
    expect(runner.health.backlog).toBeNull()
    await runner.start()
    expect(runner.health.backlog).toEqual({ events: 0, since: null })
    const [last] = (await posts(10, 'q')).slice(-1) as [Written]
    await runner.waitFor(last, patience.timeout)
    await arrived(0)
  })

  it('grows with events that arrive while the projection is blocked, and returns to zero afterwards', async () => {
    await runner.start()
    left = 0
    await posts(10)
    await arrived(20)
    await expect.poll(() => runner.health.state).toBe('failing')
    expect(runner.health).toMatchObject({ state: 'failing', backlog: { since: '2026-03-02T10:00:00.000Z' } })
    await posts(5, 'q')
    await arrived(30)
    left = Number.POSITIVE_INFINITY
    await arrived(0)
    expect(runner.health).toMatchObject({ state: 'live', backlog: { events: 0, since: null } })
  })

  it('counts from the checkpoint, even when the projection can not start', async () => {
    await runner.start()
    await runner.stop()
    await posts(4)
    const before = () => {
      throw new Error('It stands still')
    }
    runner = new Runner(tallyProjection({ before }), {
      events: on.events,
      store: on.store,
      onSwitch: () => {},
      onError: () => {},
    })
    await runner.start()
    await arrived(8)
  })

  it('is accurate to one percent when it is long', { tags: 'long' }, async () => {
    left = 0
    // First, so that the runner fails for a moment only: its pauses between attempts grow.
    await posts(3_000)
    await runner.start()
    await arrived(6_000)
    left = 1_000
    await expect.poll(counted).toBeLessThan(6_000)
    expect(counted()).toBeGreaterThanOrEqual(5_000)
    expect(counted()).toBeLessThanOrEqual(5_050)
    left = Number.POSITIVE_INFINITY
    await arrived(0)
  })
})

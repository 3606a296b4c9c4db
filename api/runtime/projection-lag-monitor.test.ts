import { afterEach, beforeEach, expect, it } from 'vitest'
import { submitted, written } from '../../domain/post/test/examples.ts'
import { Runner } from '../../projections/core/runner.ts'
import { temporaryStores, type TestStores } from '../../projections/core/test/helpers.ts'
import type { Projection } from '../../projections/core/projection.ts'
import { postsProjection } from '../../projections/posts/projection.ts'
import { clientsProjection } from '../../projections/clients/projection.ts'
import { ProjectionLagMonitor } from './projection-lag-monitor.ts'

const projections: readonly Projection[] = [postsProjection, clientsProjection]
const still = ['posts is behind the log and makes no progress']
let on: TestStores
let now: number
let isAway: boolean
let asked: number
let keepingUp: ProjectionLagMonitor
let running: Runner[]
beforeEach(async () => {
  on = await temporaryStores()
  now = 0
  isAway = false
  asked = 0
  running = []
  keepingUp = watching()
})
afterEach(async () => {
  await stopAll()
  await on.remove()
})

const watching = (maxEvents = 10_000) => {
  const store = {
    liveCollections: () => (isAway ? Promise.reject(new Error('away')) : on.store.liveCollections()),
    checkpoints: (collections: readonly string[]) => {
      asked += 1
      return on.store.checkpoints(collections)
    },
  }
  return new ProjectionLagMonitor(
    projections,
    { events: on.events, store },
    { elapsed: () => now, stillMs: 10_000, maxEvents },
  )
}
const build = async () => {
  for (const projection of projections) {
    const runner = new Runner(projection, {
      events: on.events,
      store: on.store,
      onSwitch: () => undefined,
      onError: () => undefined,
    })
    running.push(runner)
    await runner.start()
  }
}
const stopAll = async () => {
  await Promise.all(running.splice(0).map((runner) => runner.stop()))
}
const write = (id: string) => on.log.write(`post-${id}`, written, submitted)
const looks = async (seconds: number, every = 2) => {
  for (let passed = 0; passed < seconds; passed += every) {
    now += every * 1_000
    await keepingUp.look().catch(() => {})
  }
  return keepingUp.notReady()
}

it('A view that no projector builds is reported after a while, until it has caught up; others are not', async () => {
  await build()
  const { position } = await write('a')
  await expect.poll(() => on.store.checkpoint('posts_v5')).toBe(position)
  expect(await looks(20)).toEqual([])
  await stopAll()
  // A long quiet period before does not count.
  expect(await looks(3_600, 600)).toEqual([])
  await write('b')
  expect(await looks(8)).toEqual([])
  expect(await looks(8)).toEqual(still)
  await build()
  expect(await looks(2)).toEqual([])
})

it('A view that was already behind at the first poll is reported', async () => {
  await build()
  await stopAll()
  for (const id of ['a', 'b', 'c']) await write(id)
  keepingUp = watching(2)
  expect(await looks(20)).toEqual(still)
})

it('A view that makes progress counts as ready, however far behind it is', async () => {
  await build()
  const first = await write('a')
  await expect.poll(() => on.store.checkpoint('posts_v5')).toBe(first.position)
  await stopAll()
  const later = []
  for (let n = 0; n < 20; n++) later.push(await write(`n${n}`))
  for (const { position } of later.slice(0, -1)) {
    await on.store.write('posts_v5', [], position)
    expect(await looks(8)).toEqual([])
  }
  expect(await looks(14)).toEqual(still)
})

it('A view is not reported for a time in which polls failed', async () => {
  await build()
  await looks(2)
  await stopAll()
  await write('a')
  expect(await looks(6)).toEqual([])
  isAway = true
  expect(await looks(60)).toEqual([])
  isAway = false
  expect(await looks(8)).toEqual([])
  expect(await looks(8)).toEqual(still)
})

it('The views are not polled while the log has nothing new', async () => {
  await build()
  await write('a')
  await expect.poll(async () => (await on.store.checkpoint('posts_v5')) !== null).toBe(true)
  await looks(4)
  const before = asked
  await looks(60)
  expect(asked).toBe(before)
})

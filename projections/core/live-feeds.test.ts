import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { patience } from '../../domain/test/patience.ts'
import type { EventStore } from '../../domain/event-store/port.ts'
import { submitted, written } from '../../domain/post/test/examples.ts'
import type { ReadStore } from '../read-store/port.ts'
import { Feed } from './feed.ts'
import { LiveFeeds } from './live-feeds.ts'
import { Projector } from './projector.ts'
import { Runner } from './runner.ts'
import { tallyProjection, temporaryStores, type Tally, type TestStores, type Written } from './test/helpers.ts'
import { viewReader } from './views.ts'

let on: TestStores
/** How often the log was subscribed to, and views were written. */
let counts: { subscriptions: number; writes: number }
beforeEach(async () => {
  on = await temporaryStores()
  counts = { subscriptions: 0, writes: 0 }
})
afterEach(() => on.remove())

const names = Array.from({ length: 8 }, (_, n) => `tally${n}`)
const projections = names.map((name) => tallyProjection({ name }))

/** The store with some of its methods replaced. */
const withMethods = <T extends object>(store: T, methods: Partial<T>): T =>
  new Proxy(store, {
    get(target, name) {
      const replaced: unknown = Reflect.get(methods, name)
      if (replaced !== undefined) return replaced
      const found: unknown = Reflect.get(target, name)
      return typeof found === 'function' ? found.bind(target) : found
    },
  })
const counting = (writeTogether = on.store.writeTogether.bind(on.store)) => ({
  events: withMethods<EventStore>(on.events, {
    subscribe: (...asked) => {
      counts.subscriptions += 1
      return on.events.subscribe(...asked)
    },
  }),
  store: withMethods<ReadStore>(on.store, {
    writeTogether: (parts) => {
      counts.writes += 1
      return writeTogether(parts)
    },
  }),
})

describe('The projections of a process', () => {
  it('share one write for an event that all of them handle, and one subscription', async () => {
    const made = new Projector(projections, { ...counting(), onError: () => undefined })
    await made.start()
    expect(await made.waitFor([await on.log.write('post-first', written)], patience.timeout)).toBe(true)
    const before = { ...counts }
    for (let post = 0; post < 20; post++)
      expect(await made.waitFor([await on.log.write(`post-${post}`, written, submitted)], patience.timeout)).toBe(true)
    expect(counts).toEqual({ subscriptions: before.subscriptions, writes: before.writes + 20 })
    // Each has one more, which counts its backlog even while it is blocked.
    expect(counts.subscriptions).toBeLessThan(2 * names.length)
    for (const name of names)
      expect(await viewReader<Tally>(on.store, made.live, { name, version: 1 }).get('all')).toMatchObject({
        written: 21,
        submitted: 20,
      })
    await made.stop()
  })

  it('go on when the write of one of them fails, and that one misses nothing', async () => {
    let isBroken = false
    const ports = counting(async (parts) => {
      const outcomes = await on.store.writeTogether(
        parts.filter(({ collection }) => !isBroken || collection !== 'tally3_v1'),
      )
      let next = 0
      return parts.map(({ collection }) =>
        isBroken && collection === 'tally3_v1'
          ? { status: 'rejected', reason: new Error('no room') }
          : (outcomes[next++] ?? { status: 'rejected', reason: new Error('no outcome') }),
      )
    })
    const made = new Projector(projections, { ...ports, onError: () => undefined })
    await made.start()
    await made.waitFor([await on.log.write('post-first', written)], patience.timeout)
    isBroken = true
    const second = await on.log.write('post-second', written)
    for (const name of names.filter((other) => other !== 'tally3'))
      expect(await made.runner(name).waitFor(second, patience.timeout)).toBe(true)
    await expect.poll(() => made.health.map(({ state }) => state)).toContain('failing')
    expect(made.health.filter(({ state }) => state === 'failing').map(({ name }) => name)).toEqual(['tally3'])
    isBroken = false
    expect(await made.waitFor([await on.log.write('post-third', written)], patience.timeout)).toBe(true)
    for (const name of names)
      expect(await viewReader<Tally>(on.store, made.live, { name, version: 1 }).get('all')).toMatchObject({
        written: 3,
      })
    await made.stop()
  })

  it('include one that joins while a batch that it lacks is being written', async () => {
    let go = () => {}
    const gate = new Promise<void>((resolve) => (go = resolve))
    const { events, store } = counting(async (parts) => {
      await gate
      return on.store.writeTogether(parts)
    })
    const live = new LiveFeeds({ events, store })
    const end = new AbortController()
    const [first, late] = await Promise.all(
      projections.slice(0, 2).map(async (projection) => {
        const feed = await new Feed(projection, `${projection.name}_v1`, { events, store }, true).open()
        await feed.catchUp()
        return feed
      }),
    )
    if (!first || !late) throw new Error('There are no feeds')
    const following = [live.follow(first, end.signal, () => {})]
    const { position } = await on.log.write('post-a', written)
    await expect.poll(() => counts.writes).toBe(1)
    following.push(live.follow(late, end.signal, () => {}))
    go()
    await expect.poll(() => [first.checkpoint, late.checkpoint]).toEqual([position, position])
    end.abort()
    await Promise.all(following)
    expect(await on.store.get('tally1_v1', 'all')).toMatchObject({ written: 1 })
  })

  it('miss nothing and count nothing twice, whenever one of them joins, leaves or is rebuilt', async () => {
    const { events, store } = counting()
    const live = new LiveFeeds({ events, store })
    const runnerOf = (name: string) =>
      new Runner(tallyProjection({ name }), { events, store, live, onSwitch: () => {}, onError: () => {} })
    let last: Written | undefined
    let count = 0
    const over = new AbortController()
    const writing = (async () => {
      for (; !over.signal.aborted; count++) {
        last = await on.log.write(`post-${count}`, written, submitted)
        if (count % 3 === 0) await new Promise((resolve) => setImmediate(resolve))
      }
    })()
    const running = new Map(names.map((name) => [name, runnerOf(name)]))
    for (const runner of running.values()) void runner.start()
    for (let round = 0; round < 60; round++) {
      const name = names[(round * 5) % names.length] ?? ''
      const runner = running.get(name)
      if (round % 4 === 3) await runner?.rebuild()
      else {
        await runner?.stop()
        running.set(name, runnerOf(name))
        await running.get(name)?.start()
      }
    }
    over.abort()
    await writing
    for (const [name, runner] of running) {
      expect(last && (await runner.waitFor(last, patience.timeout))).toBe(true)
      const collection = (await on.store.live(name)) ?? ''
      expect(await on.store.get(collection, 'all')).toMatchObject({ written: count, submitted: count })
      expect(await on.store.checkpoint(collection)).toBe(last?.position)
    }
    for (const runner of running.values()) await runner.stop()
  })
})

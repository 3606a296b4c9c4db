import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Fact, StoredEvent } from '../../domain/core/event.ts'
import { Folding } from '../core/fold.ts'
import type { Write } from '../read-store/port.ts'
import { on, specification, storedOf, type Happened } from '../core/test/specification.ts'
import { temporaryStores, type TestStores } from '../core/test/helpers.ts'
import { metricsProjection } from './projection.ts'

let stores: TestStores
beforeAll(async () => {
  stores = await temporaryStores()
})
afterAll(() => stores.remove())
const { given } = specification(metricsProjection, () => stores.store)

const gain = (views: number, likes = 0) => ({ views, likes, comments: 0, shares: 0, engagement: likes })
const published: Fact = {
  type: 'PostPublished',
  data: { attemptId: 'a', remoteId: 'r', url: null, known: 'answer' },
}
const reading = (number: number, totals: readonly [number | null, number | null], delta = gain(0)): Fact => ({
  type: 'PostMetricsRecorded',
  data: {
    reading: number,
    platform: 'facebook',
    totals: { views: totals[0], likes: totals[1], comments: null, shares: null },
    delta,
  },
})
const deleted: Fact = {
  type: 'PostDeleted',
  data: { because: 'asked', platform: 'facebook', from: 'published', measured: true, figures: gain(0) },
}
const at = (time: string, fact: Fact, stream = 'post-1'): Happened => ({ stream, fact, at: time })
const history = (stream: string): readonly Happened[] => [
  at('2026-03-30T20:00:00.000Z', published, stream),
  at('2026-03-30T21:14:59.999Z', reading(0, [100, 7], gain(100, 7)), stream),
  at('2026-04-01T09:31:00.000Z', reading(1, [150, 5], gain(50, -2)), stream),
]
const period = (id: string, parts: Readonly<Record<string, object>>) => ({
  id: `client-1:facebook:${id}`,
  kind: 'period',
  agencyId: 'agency-1',
  sumsOf: 'client-1',
  platform: 'facebook',
  period: id,
  parts,
})
const kinds = async (...past: readonly Happened[]) => (await given(...past).shows()).map(({ kind }) => kind)

describe('The metrics of a period', () => {
  it("are the sums of the readings' differences, by day and by quarter hour", async () => {
    expect((await given(...history('post-1')).shows()).slice(1)).toEqual([
      period('2026-03', { 30: { ...gain(100, 7), readings: 1 } }),
      period('2026-03-30', { '21:00': { ...gain(100, 7), readings: 1 } }),
      period('2026-04', { '01': { ...gain(50, -2), readings: 1 } }),
      period('2026-04-01', { '09:30': { ...gain(50, -2), readings: 1 } }),
    ])
  })
  it('add up over the posts of a client and a platform', async () => {
    const shown = await given(...history('post-1'), ...history('post-2')).shows()
    expect(shown).toContainEqual(period('2026-03', { 30: { ...gain(200, 14), readings: 2 } }))
  })
  it('lose those of a deleted post, in each period that it was read in', async () => {
    const past = given(...history('post-1'), ...history('post-2'), at('2026-06-01T10:00:00.000Z', deleted, 'post-2'))
    expect((await past.shows()).filter(({ kind }) => kind === 'period')).toEqual(
      (await given(...history('post-1')).shows()).filter(({ kind }) => kind === 'period'),
    )
  })
  it('vanish with the last of their posts', async () => {
    expect(await kinds(...history('post-1'), at('2026-06-01T10:00:00.000Z', deleted))).toEqual(['deleted'])
  })
})

describe('A deletion that was written in part', () => {
  it('is completed by its replay, and changes nothing after that', async () => {
    const past = [...history('post-1'), ...history('post-2'), at('2026-06-01T10:00:00.000Z', deleted, 'post-2')]
    const events = storedOf(past)
    const collection = 'metrics_in_part'
    await stores.store.ensure(collection, metricsProjection.indexes)
    const fold = async (batch: readonly StoredEvent[]) => {
      const folding = new Folding(metricsProjection, collection, stores.store, false)
      await folding.add(batch)
      return folding.takeChanged()
    }
    const write = (writes: readonly Write[]) => stores.store.write(collection, writes, null)
    const shown = async () => (await stores.store.find(collection, {})).items
    await write(await fold(events.slice(0, -1)))
    const changes = await fold(events.slice(-1))
    expect(changes).toHaveLength(5)
    await write(changes.filter(({ id }) => id === '2'))
    await write(await fold(events.slice(-1)))
    const whole = await shown()
    expect(whole.filter(({ kind }) => kind === 'period')).toEqual(
      (await given(...history('post-1')).shows()).filter(({ kind }) => kind === 'period'),
    )
    await write(await fold(events))
    expect(await shown()).toEqual(whole)
  })
})

describe('A published post', () => {
  it('has its newest metrics, those of each reading, and nothing for what its network does not offer', async () => {
    expect((await given(...history('post-1')).shows())[0]).toEqual({
      id: '1',
      kind: 'post',
      agencyId: 'agency-1',
      clientId: 'client-1',
      publishedAt: '2026-03-30T20:00:00.000Z',
      month: '2026-03',
      platform: 'facebook',
      views: 150,
      likes: 5,
      comments: null,
      shares: null,
      engagement: 5,
      readings: [
        { at: '2026-03-30T21:14:59.999Z', views: 100, likes: 7, comments: null, shares: null },
        { at: '2026-04-01T09:31:00.000Z', views: 150, likes: 5, comments: null, shares: null },
      ],
    })
  })
  it('keeps a metric that its network stops offering', async () => {
    const [post] = await given(
      ...history('post-1'),
      at('2026-04-02T09:00:00.000Z', reading(2, [null, 6], gain(0, 1))),
    ).shows()
    expect(post).toMatchObject({ views: 150, likes: 6, engagement: 6 })
  })
  it('has no metrics before its first reading', async () => {
    expect(await given(...on('post-1', published)).shows()).toMatchObject([
      { kind: 'post', platform: null, views: null, engagement: null, readings: [] },
    ])
  })
  it('leaves no document when it is deleted before its first reading', async () => {
    expect(await kinds(...on('post-1', published, deleted))).toEqual([])
    expect(await kinds(...on('post-1', deleted))).toEqual([])
  })
})

describe('Sample metrics', () => {
  const samples: Fact = {
    type: 'SampleFiguresAdded',
    data: { clientId: 'client-1', figures: [{ platform: 'facebook', ...gain(900, 90) }] },
  }
  const gone: Fact = { type: 'SampleFiguresRemoved', data: { clientId: 'client-1', platforms: ['facebook'] } }
  it('stand apart, with the time when they were added', async () => {
    expect(await given(...on('sample-client-1', samples)).shows()).toEqual([
      {
        id: 'client-1:facebook:sample',
        kind: 'sample',
        period: 'sample',
        agencyId: 'agency-1',
        sumsOf: 'client-1',
        platform: 'facebook',
        at: '2026-03-02T10:00:00.000Z',
        sums: gain(900, 90),
      },
    ])
  })
  it('are removed, and measured ones stay', async () => {
    expect(
      await kinds(...on('sample-client-1', samples), ...history('post-1'), ...on('sample-client-1', gone)),
    ).toEqual(['post', 'period', 'period', 'period', 'period'])
  })
})

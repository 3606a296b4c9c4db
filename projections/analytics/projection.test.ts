import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Fact } from '../../domain/core/event.ts'
import { on, specification } from '../core/test/specification.ts'
import { temporaryStores, type TestStores } from '../core/test/helpers.ts'
import { analyticsProjection } from './projection.ts'

let stores: TestStores
beforeAll(async () => {
  stores = await temporaryStores()
})
afterAll(() => stores.remove())
const { given } = specification(analyticsProjection, () => stores.store)

const counted = (views: number, likes = 0) => ({ views, likes, comments: 0, shares: 0, engagement: likes })
const none = counted(0)
const noTotals = { views: null, likes: null, comments: null, shares: null }
const read = (reading: number, views: number, likes = 0, platform = 'facebook', totals = {}): Fact => ({
  type: 'PostMetricsRecorded',
  data: {
    reading,
    platform,
    totals: { ...noTotals, ...totals },
    delta: counted(views, likes),
  },
})
const deleted = (views: number, likes = 0, measured = true): Fact => ({
  type: 'PostDeleted',
  data: { because: 'asked', platform: 'facebook', from: 'published', measured, figures: counted(views, likes) },
})
const samples: Fact = {
  type: 'SampleFiguresAdded',
  data: {
    clientId: 'client-1',
    figures: [
      { platform: 'facebook', ...counted(900, 90) },
      { platform: 'linkedin', ...counted(500, 50) },
    ],
  },
}
const samplesGone: Fact = {
  type: 'SampleFiguresRemoved',
  data: { clientId: 'client-1', platforms: ['facebook', 'linkedin'] },
}
const at = '2026-03-02T10:00:00.000Z'
const facebook = {
  id: 'client-1:facebook',
  agencyId: 'agency-1',
  clientId: 'client-1',
  postPlatform: 'facebook',
  measuredAt: at,
  reported: { views: false, likes: false, comments: false, shares: false },
}

describe('The figures', () => {
  it("of a client on a network are the sums of the readings' differences", async () => {
    const past = [...on('post-1', read(0, 100, 7), read(1, 50, 3)), ...on('post-2', read(0, 10, 1))]
    expect(await given(...past).shows()).toEqual([{ ...facebook, posts: 2, measured: counted(160, 11), sample: null }])
  })
  it('may decrease: a network removes likes', async () => {
    expect(await given(...on('post-1', read(0, 100, 7), read(1, 0, -2))).shows()).toMatchObject([
      { posts: 1, measured: counted(100, 5) },
    ])
  })
  it('are kept apart by network and by client', async () => {
    const other = on('post-3', read(0, 5)).map((happened) => ({ ...happened, clientId: 'client-2' }))
    const past = [...on('post-1', read(0, 100)), ...on('post-2', read(0, 10, 0, 'linkedin')), ...other]
    expect(await given(...past).shows()).toMatchObject([
      { id: 'client-1:facebook', measured: counted(100) },
      { id: 'client-1:linkedin', measured: counted(10) },
      { id: 'client-2:facebook', clientId: 'client-2', measured: counted(5) },
    ])
  })
  it('state the time of the newest reading, for any order of arrival', async () => {
    const later = '2026-03-05T10:00:00.000Z'
    const past = [
      ...on('post-1', read(0, 100)).map((happened) => ({ ...happened, at: later })),
      ...on('post-2', read(0, 10)),
    ]
    expect(await given(...past).shows()).toMatchObject([{ measuredAt: later }])
  })
  it('have no reading time once their posts are deleted', async () => {
    const past = [...on('sample-client-1', samples), ...on('post-1', read(0, 100), deleted(100))]
    expect(await given(...past).shows()).toMatchObject([{ measuredAt: null }, { measuredAt: null }])
  })
  it('of a deleted post are subtracted, and those of other posts stay', async () => {
    const past = [
      ...on('post-1', read(0, 100, 7), read(1, 50, 3)),
      ...on('post-2', read(0, 10, 1)),
      ...on('post-1', deleted(150, 10)),
    ]
    expect(await given(...past).shows()).toEqual([{ ...facebook, posts: 1, measured: counted(10, 1), sample: null }])
  })
  it('are deleted with the last of their posts', async () => {
    const past = given(...on('post-1', read(0, 100), deleted(100)))
    expect(await past.shows()).toEqual([])
    expect(await past.tombstones()).toEqual(['client-1:facebook'])
  })
  it('reappear with the next post', async () => {
    const past = [...on('post-1', read(0, 100), deleted(100)), ...on('post-2', read(0, 3))]
    expect(await given(...past).shows()).toMatchObject([{ posts: 1, measured: counted(3) }])
  })
  it('do not change when a post without readings is deleted', async () => {
    const past = [...on('post-1', read(0, 100)), ...on('post-2', deleted(0, 0, false))]
    expect(await given(...past).shows()).toMatchObject([{ posts: 1, measured: counted(100) }])
    expect(await given(...on('post-2', deleted(0, 0, false))).shows()).toEqual([])
  })
})

describe('The metrics that a network reports', () => {
  const likes = read(0, 0, 5, 'facebook', { likes: 5 })
  const views = read(0, 9, 0, 'facebook', { views: 9 })
  it('are those that a reading of any post had', async () => {
    expect(await given(...on('post-1', likes), ...on('post-2', read(0, 0))).shows()).toMatchObject([
      { reported: { views: false, likes: true, comments: false, shares: false } },
    ])
    expect(await given(...on('post-1', likes), ...on('post-2', views)).shows()).toMatchObject([
      { reported: { views: true, likes: true, comments: false, shares: false } },
    ])
  })
  it('are forgotten with the last of its posts, where sample figures remain', async () => {
    const past = [...on('sample-client-1', samples), ...on('post-1', likes, deleted(0, 5))]
    expect(await given(...past).shows()).toMatchObject([{ reported: { likes: false } }, {}])
  })
  it('are all of them in documents that an earlier version wrote', () => {
    const { reported: _, ...earlier } = { ...facebook, posts: 1, measured: none, sample: null }
    expect(analyticsProjection.predecessors?.map(({ convert }) => convert(earlier))).toEqual([
      { ...earlier, reported: { views: true, likes: true, comments: true, shares: true } },
    ])
  })
})

describe('Sample figures', () => {
  it('are kept apart from real figures', async () => {
    const past = [...on('post-1', read(0, 100)), ...on('sample-client-1', samples)]
    expect(await given(...past).shows()).toEqual([
      { ...facebook, posts: 1, measured: counted(100), sample: counted(900, 90) },
      {
        ...facebook,
        id: 'client-1:linkedin',
        postPlatform: 'linkedin',
        posts: 0,
        measured: none,
        measuredAt: null,
        sample: counted(500, 50),
      },
    ])
  })
  it('are removed completely, and real figures stay', async () => {
    const past = given(
      ...on('sample-client-1', samples),
      ...on('post-1', read(0, 100)),
      ...on('sample-client-1', samplesGone),
    )
    expect(await past.shows()).toEqual([{ ...facebook, posts: 1, measured: counted(100), sample: null }])
    expect(await past.tombstones()).toEqual(['client-1:linkedin'])
  })
  it('stay when the last real post is deleted', async () => {
    const past = [...on('sample-client-1', samples), ...on('post-1', read(0, 100), deleted(100))]
    expect(await given(...past).shows()).toMatchObject([
      { posts: 0, measured: none, sample: counted(900, 90) },
      { posts: 0 },
    ])
  })
})

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { patience } from '../../../domain/test/patience.ts'
import { nextPage, type ApiClient } from '../../http/client.ts'
import { brand, owner, testServer, type TestServer } from '../../testing/server.ts'
import type { AnalyticsPost } from '../../contract/index.ts'
import { totalLines } from './export.ts'

const hour = 3_600_000
const waiting = { ...patience, interval: 50 }
const zone = 'Asia/Kathmandu'
let server: TestServer
let caller: ApiClient
let mine: { readonly clientId: string; readonly accountId: string }
const posts: string[] = []

const dayOf = (at: string) => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(new Date(at))
const today = () => dayOf(server.clock.now())
const daysAgo = (count: number) => dayOf(new Date(Date.parse(server.clock.now()) - count * 24 * hour).toISOString())
const rows = async (query: Readonly<Record<string, string>> = {}) =>
  JSON.parse((await caller.ask('listAnalyticsPosts', { query })).text) as AnalyticsPost[]
const period = (from: string, to: string, client?: string) =>
  caller.callOrThrow('getAnalyticsPeriod', { query: { from, to, ...(client && { client }) } })
const sum = (records: readonly { readonly views: number }[]) => records.reduce((total, { views }) => total + views, 0)

beforeAll(async () => {
  server = await testServer()
  caller = await owner(server, zone)
  mine = await brand(caller)
  const publish = async (content: string) => {
    const body = { socialAccountId: mine.accountId, content, status: 'scheduled' as const }
    const at = new Date(Date.parse(server.clock.now()) + 60_000).toISOString()
    const { id } = await caller.callOrThrow('writePost', {
      params: { id: mine.clientId },
      body: { ...body, scheduledFor: at },
    })
    server.clock.advance(90_000)
    await vi.waitFor(
      async () =>
        expect(await caller.callOrThrow('getPost', { params: { id } })).toMatchObject({ status: 'published' }),
      waiting,
    )
    posts.push(id)
  }
  const readings = (count: number) =>
    vi.waitFor(
      async () => expect((await rows()).reduce((all, post) => all + post.readings.length, 0)).toBe(count),
      waiting,
    )
  await publish('=1+1 is the first')
  await publish('Second')
  server.clock.advance(hour)
  await readings(2)
  await publish('Third')
  server.clock.advance(6 * hour)
  await readings(5)
  server.clock.advance(18 * hour)
  await readings(8)
  server.clock.advance(26 * hour)
  await readings(11)
}, 90_000)
afterAll(() => server.remove())

describe('The metrics of a period', () => {
  it("are what the posts gained on its days in the agency's time zone, beside the days before [P13.1]", async () => {
    const gains = (await rows()).flatMap(({ readings }) =>
      readings.map(({ at, views }, index) => ({
        day: dayOf(at),
        views: (views ?? 0) - (readings[index - 1]?.views ?? 0),
      })),
    )
    for (const back of [0, 1, 2, 3]) {
      const day = daysAgo(back)
      const { records, previous } = await period(day, day)
      expect(previous).toEqual({ from: daysAgo(back + 1), to: daysAgo(back + 1) })
      expect(sum(records)).toBe(sum(gains.filter((gain) => gain.day === day)))
      expect(sum(records.map(({ before }) => before))).toBe(sum(gains.filter((gain) => gain.day === previous.from)))
    }
    const all = sum(await caller.callOrThrow('listAnalytics'))
    expect(all).toBeGreaterThan(0)
    expect(sum((await period(daysAgo(365), today())).records)).toBe(all)
  })
  it.each([
    [{ from: '2026-03-05', to: '2026-03-04' }, 'To: Choose a day that is not before the first'],
    [{ from: '2024-03-05', to: '2026-03-04' }, 'To: Choose at most 366 days'],
    [{ from: '9999-12-30', to: '9999-12-31' }, 'From: Enter a day like 2025-01-05'],
    [{ from: 'monday', to: '2026-03-04' }, 'From: Enter a day like 2025-01-05'],
  ])('are refused for %j', async (query, sentence) => {
    expect(await caller.ask('getAnalyticsPeriod', { query })).toMatchObject({ status: 400, text: sentence })
  })
  it("of another agency's client are not found", async () => {
    const stranger = await owner(server)
    const query = { from: today(), to: today(), client: mine.clientId }
    for (const name of ['getAnalyticsPeriod', 'listAnalyticsPosts'] as const)
      expect((await stranger.ask(name, { query })).status).toBe(404)
    expect((await stranger.ask('exportAnalytics', { query: { of: 'totals', ...query } })).status).toBe(404)
  })
  it('count sample metrics as gained over the 30 days before, until these are removed [P13.2]', async () => {
    const before = (await period(daysAgo(29), today())).records
    await caller.callOrThrow('seedAnalytics')
    const all = sum(await caller.callOrThrow('listAnalytics'))
    expect(sum((await period(daysAgo(30), today())).records)).toBe(all)
    const [half, other] = [await period(daysAgo(14), today()), await period(daysAgo(30), daysAgo(15))]
    expect(sum(half.records) + sum(other.records)).toBe(all)
    expect(half.records.every(({ sample }) => sample)).toBe(true)
    await caller.callOrThrow('removeSampleData')
    expect((await period(daysAgo(29), today())).records).toEqual(before)
  })
})

describe('The posts with their metrics', () => {
  it('are sorted by any column, in pages [P13.3]', async () => {
    for (const column of ['views', 'likes', 'engagement'] as const) {
      const down = await rows({ sort: column })
      expect(down.map((post) => post[column])).toEqual(
        down.map((post) => post[column]).toSorted((a, b) => Number(b) - Number(a)),
      )
      expect((await rows({ sort: column, order: 'asc' })).map(({ id }) => id)).toEqual(
        down.map(({ id }) => id).toReversed(),
      )
    }
    expect((await rows()).map(({ id }) => id)).toEqual(posts.toReversed())
    expect(nextPage((await caller.ask('listAnalyticsPosts')).headers)).toBeNull()
  })
  it('are those published in the period, of one client or all', async () => {
    const first = (await rows()).at(-1)?.publishedAt ?? ''
    const ofDay = { from: dayOf(first), to: dayOf(first) }
    const expected = (await rows()).filter(({ publishedAt }) => dayOf(publishedAt) === ofDay.from).map(({ id }) => id)
    expect((await rows(ofDay)).map(({ id }) => id)).toEqual(expected)
    expect((await rows({ ...ofDay, client: mine.clientId })).map(({ id }) => id)).toEqual(expected)
    expect(await rows({ from: daysAgo(60), to: daysAgo(30) })).toEqual([])
  })
  it('have nothing where the network offers no such metric', async () => {
    const [post] = await rows()
    expect(post).toMatchObject({ clientName: 'Blue Cup', platform: 'facebook', excerpt: 'Third' })
    expect(post?.readings.at(-1)).toMatchObject({ views: post?.views, likes: post?.likes })
  })
})

describe('The CSV file', () => {
  const file = async (of: 'posts' | 'totals', query = {}) =>
    (await caller.ask('exportAnalytics', { query: { of, ...query } })).text.split('\r\n')
  it('has the posts in the order shown, and neutralises formulas [P13.4]', async () => {
    const [head, ...lines] = await file('posts', { sort: 'published', order: 'asc' })
    expect(head).toBe('published,client,network,text,views,likes,comments,shares,engagement,address')
    expect(lines).toHaveLength(4)
    expect(lines[0]).toContain(",'=1+1 is the first,")
  })
  it('has empty cells for a metric that the network does not report', async () => {
    const [record] = (await period(daysAgo(6), today())).records
    if (!record) throw new Error('No record')
    const lines: string[] = []
    const withoutShares = { ...record, reported: { ...record.reported, shares: false } }
    for await (const line of totalLines([withoutShares], true)) lines.push(line)
    const cells = lines[1]?.trim().split(',')
    expect([cells?.[5], cells?.[10]]).toEqual(['', ''])
    expect([cells?.[2], cells?.[7]]).toEqual([String(record.views), String(record.before.views)])
  })
  it('has the totals, and those of the previous period', async () => {
    const [head, line] = await file('totals', { from: daysAgo(6), to: today() })
    expect(head).toContain('engagement,views in the previous period')
    expect(line).toMatch(/^Blue Cup,facebook,\d+,/)
    const [{ reported } = { reported: null }] = await caller.callOrThrow('listAnalytics')
    expect(reported).toEqual({ views: true, likes: true, comments: true, shares: true, engagement: true })
    expect((await file('totals'))[0]).toBe('client,network,views,likes,comments,shares,engagement')
    const [emptyHead, ...none] = await file('totals', { from: daysAgo(900), to: daysAgo(890) })
    expect([emptyHead, none.filter(Boolean)]).toEqual([head, []])
  })
})

describe('A deleted post', () => {
  it('takes its metrics out of every period [P13.5]', async () => {
    const [kept, gone] = [posts[0] ?? '', posts[2] ?? '']
    await caller.callOrThrow('deletePost', { params: { id: gone } })
    await caller.callOrThrow('deletePost', { params: { id: posts[1] ?? '' } })
    const [post] = await rows()
    expect(await rows()).toMatchObject([{ id: kept }])
    expect(sum((await period(daysAgo(365), today())).records)).toBe(post?.views)
  })
})

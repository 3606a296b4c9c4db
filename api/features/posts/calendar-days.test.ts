/** What a view of the calendar reads: the days, their first posts, and the number of the others. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CalendarSpan } from '../../contract/index.ts'
import type { ApiClient } from '../../http/client.ts'
import { brand, owner, testServer, type TestServer } from '../../testing/server.ts'
import { viewDays } from './calendar-days.ts'

let server: TestServer
let caller: ApiClient
let mine: { readonly clientId: string; readonly accountId: string }
const zone = 'Europe/Berlin'
/** Of a year ahead of the tests' clock. */
let month: string

beforeAll(async () => {
  server = await testServer()
  caller = await owner(server, zone)
  mine = await brand(caller)
  month = `${Number(server.clock.now().slice(0, 4)) + 1}-07`
})
afterAll(() => server.remove())

async function plan(scheduledFor: string, more: { content?: string; status?: 'scheduled' | 'draft' | 'pending' } = {}) {
  const { content = 'Planned', status = 'scheduled' } = more
  const { id } = await caller.callOrThrow('writePost', {
    params: { id: mine.clientId },
    body: { socialAccountId: mine.accountId, content, status, scheduledFor },
  })
  return id
}
const view = (span: CalendarSpan, query: Readonly<Record<string, string>> = {}) =>
  caller.tellAs('getCalendar', span, { query })

describe('The days of a view', () => {
  const now = '2026-03-04T23:30:00.000Z'
  const ends = (span: CalendarSpan, wanted = {}) => {
    const days = viewDays(span, wanted, now, zone)
    return [days.length, days[0]?.day, days.at(-1)?.day]
  }
  it.each([
    ['month', {}, [35, '2026-03-01', '2026-04-04']],
    ['month', { month: '2026-02' }, [28, '2026-02-01', '2026-02-28']],
    ['list', { month: '2026-08' }, [42, '2026-07-26', '2026-09-05']],
    ['week', {}, [7, '2026-03-01', '2026-03-07']],
    ['week', { day: '2026-01-01' }, [7, '2025-12-28', '2026-01-03']],
    ['day', {}, [1, '2026-03-05', '2026-03-05']],
  ] as const)('%s of %j', (span, wanted, expected) => {
    expect(ends(span, wanted)).toEqual(expected)
  })
  it('begin and end at midnight of the zone, also when the clocks change', () => {
    const [sunday, monday] = viewDays('week', { day: '2026-03-29' }, now, zone)
    expect([sunday?.from, sunday?.to]).toEqual(['2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'])
    expect(monday?.from).toBe(sunday?.to)
  })
})

describe('A view of the calendar', () => {
  it('has the first posts of each day and the number of the others, each with the beginning of its text [P10.1]', async () => {
    const ids: string[] = []
    for (let minute = 10; minute < 17; minute++)
      ids.push(await plan(`${month}-10T12:${minute}:00.000Z`, { content: `Number ${minute} ${'word '.repeat(100)}` }))
    const alone = await plan(`${month}-11T22:30:00.000Z`, { content: 'After midnight' })
    const days = await view('month', { month })
    expect(days.posts.map(({ id }) => id)).toEqual([...ids.slice(0, 4), alone])
    expect(days.more).toEqual([{ day: `${month}-10`, count: 3 }])
    expect(days.posts[0]).toEqual({
      id: ids[0],
      clientId: mine.clientId,
      platform: 'facebook',
      status: 'scheduled',
      delivery: 'none',
      heldBecause: null,
      scheduledFor: `${month}-10T12:10:00.000Z`,
      excerpt: expect.stringMatching(/^Number 10 .{60,90}…$/),
      truncated: true,
      assignedTo: null,
      steps: null,
      can: ['publish-now', 'reschedule', 'return-to-draft', 'assign', 'delete'],
    })
    expect(await view('day', { day: `${month}-10` })).toMatchObject({ more: [], posts: ids.map((id) => ({ id })) })
    expect((await view('week', { day: `${month}-12` })).posts.map(({ id }) => id)).toContain(alone)
    expect((await view('day', { day: `${month}-12` })).posts.map(({ id }) => id)).toEqual([alone])
  })

  it('has the same in a month with more posts than one query returns', { tags: 'long' }, async () => {
    const dense = month.replace('-07', '-10')
    const written = Array.from(
      { length: 110 },
      (_, at) => `${dense}-${at < 100 ? '05' : '06'}T12:00:${String(at % 60).padStart(2, '0')}.000Z`,
    )
    await Promise.all(written.map((at) => plan(at)))
    const days = await view('month', { month: dense })
    expect(days.posts).toHaveLength(8)
    expect(days.more).toEqual([
      { day: `${dense}-05`, count: 96 },
      { day: `${dense}-06`, count: 6 },
    ])
    expect((await view('list', { month: dense })).more).toEqual([{ day: `${dense}-05`, count: 80 }])
  })

  it('has drafts and posts in review only where they are wanted', async () => {
    const later = month.replace('-07', '-08')
    const [draft, pending] = [
      await plan(`${later}-10T12:00:00.000Z`, { status: 'draft' }),
      await plan(`${later}-10T13:00:00.000Z`, { status: 'pending' }),
    ]
    expect((await view('month', { month: later })).posts).toEqual([])
    const { posts } = await view('month', { month: later, drafts: 'true' })
    expect(posts.map(({ id, status }) => [id, status])).toEqual([
      [draft, 'draft'],
      [pending, 'pending'],
    ])
  })

  it('is of one client where one is asked for, and never of another agency', async () => {
    const other = await caller.callOrThrow('addClient', { body: { name: 'Fjord' } })
    expect((await view('month', { month, client: other.id })).posts).toEqual([])
    expect((await view('month', { month, client: mine.clientId })).posts).toHaveLength(5)
    const stranger = await owner(server, zone)
    expect((await stranger.tellAs('getCalendar', 'month', { query: { month } })).posts).toEqual([])
    const { status } = await stranger.ask('getCalendar', { query: { view: 'month', month, client: mine.clientId } })
    expect(status).toBe(404)
  })

  it.each([
    [{}, 'Month'],
    [{ view: 'week', day: '2026-02-30' }, 'Day'],
    [{ view: 'month', month: '2026-03', asOf: '2026-03-01T00:00:00.000Z' }, 'As of'],
  ] as const)('refuses %j', async (query, field) => {
    const { status, text } = await caller.ask('getCalendar', { query })
    expect([status, text.startsWith(field)]).toEqual([400, true])
  })
})

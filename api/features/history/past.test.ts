import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MovableClock } from '../../core/clock.ts'
import { owner, testServer, type TestServer } from '../../testing/server.ts'
import { postsProjection } from '../../../projections/posts/projection.ts'
import type { Views } from '../../../projections/registry.ts'
import { Past as PastStates } from './past.ts'
import { agencyWithPast, type Past } from '../audit/test/helpers.ts'
import { pageBounds } from '../../http/paging.ts'

let server: TestServer
let past: Past
/** The answers right after each of several commands. */
const moments: { readonly at: string; readonly posts: string; readonly calendar: string; readonly one: string }[] = []

beforeAll(async () => {
  // No month begins until the last moment.
  server = await testServer({}, { clock: new MovableClock('2026-11-10T09:00:00Z') })
  past = await agencyWithPast(server)
  const [first = ''] = past.postIds
  const change = (body: object) => past.caller.callOrThrow('changePost', { params: { id: first }, body })
  await keep()
  await change({ status: 'pending' })
  await keep()
  await change({ status: 'approved' })
  await keep()
  await past.caller.callOrThrow('deletePost', { params: { id: past.postIds[2] ?? '' } })
  await keep()
  await change({ status: 'draft' })
  await change({ content: 'Third version' })
  await keep()
})
afterAll(() => server.remove())

const month = () => new Date(Date.parse(server.clock.now()) + 86_400_000).toISOString().slice(0, 7)
const withoutAbilities = (text: string) =>
  JSON.stringify(JSON.parse(text, (key, value: unknown) => (key === 'can' ? [] : value)))

async function keep(): Promise<void> {
  const { caller, clientId, postIds } = past
  const [posts, calendar, one] = await Promise.all([
    caller.ask('listPosts', { params: { id: clientId } }),
    caller.ask('getCalendar', { query: { month: month() } }),
    caller.ask('getPost', { params: { id: postIds[0] ?? '' } }),
  ])
  const at = server.clock.now()
  moments.push({
    at,
    posts: withoutAbilities(posts.text),
    calendar: withoutAbilities(calendar.text),
    one: withoutAbilities(one.text),
  })
  server.clock.advance(3_600_000)
}

describe('The past', () => {
  it('equals what the screens showed at each moment', async () => {
    const { caller, clientId, postIds } = past
    const was = []
    for (const { at } of moments) {
      const query = { asOf: at }
      const posts = await caller.ask('listPosts', { params: { id: clientId }, query })
      const calendar = await caller.ask('getCalendar', { query: { month: month(), ...query } })
      const one = await caller.ask('getPost', { params: { id: postIds[0] ?? '' }, query })
      was.push({ at, posts: posts.text, calendar: calendar.text, one: one.text })
    }
    expect(was).toEqual(moments)
    expect(new Set(was.map(({ posts }) => posts)).size).toBe(moments.length)
  })

  it('has a post that was deleted since, and none that was created since', async () => {
    const params = { id: past.postIds[2] ?? '' }
    expect((await past.caller.ask('getPost', { params })).status).toBe(404)
    expect(await past.caller.callOrThrow('getPost', { params, query: { asOf: moments[0]?.at ?? '' } })).toMatchObject({
      content: '=SUM(A1)',
    })
    expect((await past.caller.ask('getPost', { params, query: { asOf: moments[4]?.at ?? '' } })).status).toBe(404)
    expect((await past.caller.ask('getPost', { params, query: { asOf: '2020-01-01T00:00:00Z' } })).status).toBe(404)
  })

  it('has a client that was removed since', async () => {
    const { caller } = past
    const client = await caller.callOrThrow('addClient', { body: { name: 'Short stay' } })
    const at = server.clock.now()
    server.clock.advance(60_000)
    await caller.callOrThrow('removeClient', { params: { id: client.id } })
    const params = { id: client.id }
    expect((await caller.ask('listPosts', { params })).status).toBe(404)
    expect(await caller.callOrThrow('listPosts', { params, query: { asOf: at } })).toEqual([])
    expect((await caller.ask('listPosts', { params, query: { asOf: '2020-01-01T00:00:00Z' } })).status).toBe(404)
  })

  it('has nothing of another agency', async () => {
    const stranger = await owner(server)
    const query = { asOf: server.clock.now() }
    expect((await stranger.ask('getPost', { params: { id: past.postIds[0] ?? '' }, query })).status).toBe(404)
    expect((await stranger.ask('listPosts', { params: { id: past.clientId }, query })).status).toBe(404)
    expect(await stranger.callOrThrow('getCalendar', { query: { month: month(), ...query } })).toEqual([])
  })
})

it('An agency and its auditors have a limited share of the queue for the past; another agency still gets its turn [S75]', async () => {
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  const next = () => released.then(() => ({ done: true, value: undefined }))
  const streams = { each: () => ({ [Symbol.asyncIterator]: () => ({ next }) }) } as unknown as Views['streams']
  const states = new PastStates(server.commands.ports.events, { streams, postMonths: server.views.postMonths })
  const asked = (agencyId: string) =>
    states.posts(
      postsProjection,
      { scope: { agencyId, clientId: null }, at: server.clock.now(), cursor: undefined, bounds: pageBounds },
      async ({ id }) => id,
      async () => undefined,
    )
  const many = Array.from({ length: 12 }, () =>
    asked('one').then(
      () => 'answered',
      (error: unknown) => error,
    ),
  )
  const other = asked('other')
  release()
  const refused = (await Promise.all(many)).filter((outcome) => outcome !== 'answered')
  expect(refused).toHaveLength(8)
  expect(refused[0]).toMatchObject({
    status: 429,
    message: 'Your agency or its auditors already have several history requests running. Please try again in a moment.',
  })
  expect((await other).body).toEqual([])
})

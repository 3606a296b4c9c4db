/** The order of posts of which some have no metrics yet. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { patience } from '../../../domain/test/patience.ts'
import type { ApiClient } from '../../http/client.ts'
import { brand, owner, testServer, type TestServer } from '../../testing/server.ts'
import { postsList, postsPage, type PostsAsked, type PostsScope } from './posts.ts'

const hour = 3_600_000
const zone = 'Europe/Berlin'
const waiting = { ...patience, interval: 50 }
let server: TestServer
let caller: ApiClient
let mine: { readonly clientId: string; readonly accountId: string }

async function publish(content: string): Promise<string> {
  const scheduledFor = new Date(Date.parse(server.clock.now()) + 60_000).toISOString()
  const { id } = await caller.callOrThrow('writePost', {
    params: { id: mine.clientId },
    body: { socialAccountId: mine.accountId, content, status: 'scheduled', scheduledFor },
  })
  server.clock.advance(90_000)
  const post = () => caller.callOrThrow('getPost', { params: { id } })
  await vi.waitFor(async () => expect(await post()).toMatchObject({ status: 'published' }), waiting)
  return id
}
const rows = (query: Readonly<Record<string, string>>) => caller.callOrThrow('listAnalyticsPosts', { query })

let measured: readonly string[]
let unmeasured: readonly string[]

beforeAll(async () => {
  server = await testServer()
  caller = await owner(server, zone)
  mine = await brand(caller)
  measured = [await publish('First'), await publish('Second')]
  server.clock.advance(hour)
  await vi.waitFor(
    async () => expect((await rows({})).map(({ views }) => views !== null)).toEqual([true, true]),
    waiting,
  )
  unmeasured = [await publish('Third'), await publish('Fourth')]
}, 90_000)
afterAll(() => server.remove())

/** Page by page, with a cursor after each post. */
async function inPages(asked: PostsAsked): Promise<readonly string[]> {
  const { id: agencyId } = await caller.callOrThrow('getAgency')
  const scope: PostsScope = { of: { agencyId }, clients: { [mine.clientId]: { name: 'Blue Cup' } }, zone }
  const ids: string[] = []
  let cursor: string | undefined
  do {
    const { body, next } = await postsPage(server.views, scope, postsList(scope, asked), cursor, 1)
    ids.push(...body.map(({ id }) => id))
    cursor = next ?? undefined
  } while (cursor !== undefined && ids.length < 10)
  return ids
}

describe('Posts without a value', () => {
  it.each(['asc', 'desc'] as const)('are last in either order, page by page: %s [P13.10]', async (order) => {
    const sorted = await rows({ sort: 'views', order })
    const values = sorted.map(({ views }) => views)
    expect(values.slice(2)).toEqual([null, null])
    expect(Math.sign(Number(values[1]) - Number(values[0]))).not.toBe(order === 'asc' ? -1 : 1)
    const ids = sorted.map(({ id }) => id)
    expect([ids.slice(0, 2).toSorted(), ids.slice(2).toSorted()]).toEqual([measured.toSorted(), unmeasured.toSorted()])
    const dayIn = (days: number) =>
      new Date(Date.parse(server.clock.now()) + 24 * days * hour).toISOString().slice(0, 10)
    for (const days of [undefined, { from: dayIn(-40), to: dayIn(2) }])
      for (const client of [undefined, mine.clientId])
        expect(await inPages({ days, client, sort: 'views', order })).toEqual(ids)
  })

  it('refuse a cursor that no page gave', async () => {
    for (const cursor of ['none.x', 'none.'])
      expect(await caller.ask('listAnalyticsPosts', { query: { sort: 'views', order: 'asc', cursor } })).toMatchObject({
        status: 400,
        text: 'Cursor: Not from an earlier answer',
      })
  })
})

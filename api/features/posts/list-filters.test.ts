import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { later } from '../../core/clock.ts'
import { nextPage, type ApiClient } from '../../http/client.ts'
import { brand, owner, testServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let caller: ApiClient
let mine: { readonly clientId: string; readonly accountId: string }
const ids: Record<string, string> = {}
const times: Record<string, string> = {}

beforeAll(async () => {
  server = await testServer()
  caller = await owner(server)
  mine = await brand(caller)
  const { id: linkedin } = await caller.callOrThrow('addSocialAccount', {
    params: { id: mine.clientId },
    body: { platform: 'linkedin', accountName: 'Mine' },
  })
  const write = async (name: string, content: string, more: object, account = mine.accountId) => {
    server.clock.advance(60_000)
    const body = { socialAccountId: account, content, ...more }
    times[name] = server.clock.now()
    ids[name] = (await caller.callOrThrow('writePost', { params: { id: mine.clientId }, body })).id
  }
  const inDays = (days: number) => later(server.clock.now(), days * 86_400_000)
  await write('draft', 'Lemons on the Straße', {})
  await write('late', 'Crème brûlée', { status: 'pending', scheduledFor: inDays(3) })
  await write('unplanned', 'Lemonade', { status: 'pending' })
  await write('soon', `${'coffee '.repeat(200)} lemon cake`, { status: 'pending', scheduledFor: inDays(1) }, linkedin)
  await write('scheduled', 'Strasse and lemon', { status: 'scheduled', scheduledFor: inDays(2) })
  await write('approved', 'Melon', { status: 'pending', scheduledFor: inDays(4) }, linkedin)
  await caller.callOrThrow('changePost', { params: { id: ids['approved'] ?? '' }, body: { status: 'approved' } })
})
afterAll(() => server.remove())

const list = (query: Readonly<Record<string, string>>, id = mine.clientId) =>
  caller.ask('listPosts', { params: { id }, query })
const nameOf = (id: string) => Object.keys(ids).find((name) => ids[name] === id)
const namesIn = (text: string) => (JSON.parse(text) as readonly { id: string }[]).map(({ id }) => nameOf(id))
const names = async (query: Readonly<Record<string, string>>) => namesIn((await list(query)).text)

describe("A list of a client's posts", () => {
  it.each([
    ['one status', { status: 'draft' }, ['draft']],
    ['several statuses, newest first', { status: 'scheduled,approved' }, ['approved', 'scheduled']],
    ['one platform', { platform: 'linkedin' }, ['approved', 'soon']],
    ['a status and a platform', { platform: 'linkedin', status: 'pending,draft' }, ['soon']],
    ['words of the whole text', { q: 'LEMON' }, ['scheduled', 'soon', 'unplanned', 'draft']],
    ['every word', { q: 'straße lem' }, ['scheduled', 'draft']],
    ['words and a status', { q: 'lem', status: 'pending' }, ['soon', 'unplanned']],
    ['the earliest planned time first', { sort: 'planned', status: 'pending' }, ['soon', 'late', 'unplanned']],
    [
      'planned times and words',
      { sort: 'planned', q: 'lem', platform: 'facebook,linkedin' },
      ['soon', 'scheduled', 'draft', 'unplanned'],
    ],
  ] as const)('can be limited to, or sorted by: %s', async (_, query, expected) => {
    for (const view of [{}, { view: 'card' }]) {
      const { status, text, headers } = await list({ ...query, ...view })
      expect([status, namesIn(text)]).toEqual([200, expected])
      expect(headers.get('x-total-count')).toBe('q' in query ? null : String(expected.length))
      expect(text).not.toContain('plannedAt')
      expect(text).not.toContain('"words"')
    }
  })

  it('can be limited to a period of the time that it is sorted by', async () => {
    const from = times['unplanned'] ?? ''
    expect(await names({ from, to: times['scheduled'] ?? '' })).toEqual(['soon', 'unplanned'])
    expect(await names({ from, status: 'pending' })).toEqual(['soon', 'unplanned'])
    const inTwoDays = later(server.clock.now(), 1.5 * 86_400_000)
    expect(await names({ sort: 'planned', from: inTwoDays })).toEqual(['scheduled', 'late', 'approved'])
    expect(await names({ sort: 'planned', to: inTwoDays })).toEqual(['soon'])
  })

  it.each([
    [{}, ['approved', 'scheduled', 'soon', 'unplanned', 'late', 'draft']],
    [{ sort: 'planned', status: 'pending' }, ['soon', 'late', 'unplanned']],
    [{ q: 'lem' }, ['scheduled', 'soon', 'unplanned', 'draft']],
    [{ platform: 'facebook' }, ['scheduled', 'unplanned', 'late', 'draft']],
  ] as const)('comes in pages of the wanted size: %j', async (query, expected) => {
    for (const view of [{}, { view: 'card' }]) {
      const seen: unknown[] = []
      let { text, headers } = await list({ ...query, ...view, limit: '2' })
      for (;;) {
        expect(namesIn(text).length).toBeLessThanOrEqual(2)
        seen.push(...namesIn(text))
        const next = nextPage(headers)
        if (next === null) break
        ;({ text, headers } = await caller.get(next))
      }
      expect(seen).toEqual(expected)
    }
  })

  it('of the past has a page size and no filters', async () => {
    const asOf = server.clock.now()
    expect(await names({ asOf, limit: '1' })).toEqual(['approved'])
    expect(await list({ asOf, status: 'draft' })).toMatchObject({
      status: 400,
      text: 'asOf: A past list has all posts, newest first. Leave out status, platform, origin, assigned, waits, q, from, to and sort',
    })
  })

  it.each([
    [{ limit: '0' }, 'Limit: Send a number from 1 to 1000'],
    [{ limit: '1001' }, 'Limit: Send a number from 1 to 1000'],
    [
      { status: 'gone' },
      'Status: Send one or several of draft, pending, approved, scheduled, published, rejected, with commas in between',
    ],
    [
      { platform: 'facebook,' },
      'Platform: Send one or several of facebook, instagram, twitter, linkedin, with commas in between',
    ],
    [{ q: '?!' }, 'Q: Search for at least one letter or digit'],
    [{ q: 'a b c d e f g h i' }, 'Q: Search for at most 8 words'],
    [{ q: 'x'.repeat(201) }, 'Q: Search for at most 200 characters'],
    [{ from: 'monday' }, 'From: Enter a date and time like 2025-01-05T15:00:00Z'],
  ])('is refused for %j with a sentence', async (query, sentence) => {
    expect(await list(query)).toMatchObject({ status: 400, text: sentence })
  })

  it('follows a change of the text and of the status', async () => {
    const id = ids['draft'] ?? ''
    await caller.callOrThrow('changePost', { params: { id }, body: { content: 'Peaches' } })
    expect(await names({ q: 'straße', status: 'draft' })).toEqual([])
    expect(await names({ q: 'peach', status: 'draft' })).toEqual(['draft'])
    await caller.callOrThrow('changePost', { params: { id }, body: { status: 'pending' } })
    expect(await names({ q: 'peach', status: 'pending' })).toEqual(['draft'])
    await caller.callOrThrow('changePost', { params: { id }, body: { status: 'draft' } })
    await caller.callOrThrow('changePost', { params: { id }, body: { content: 'Lemons on the Straße' } })
  })
})

describe('A list of the posts of all clients', () => {
  const all = (query: Readonly<Record<string, string>> = {}) => caller.ask('listAllPosts', { query })
  let other: { readonly clientId: string; readonly accountId: string }
  beforeAll(async () => {
    other = await brand(caller, 'instagram')
    const write = async (name: string, content: string) => {
      server.clock.advance(60_000)
      const params = { id: other.clientId }
      const body = { socialAccountId: other.accountId, content }
      ids[name] = (await caller.callOrThrow('writePost', { params, body })).id
    }
    await write('other', 'Lemons of another brand')
    await write('latest', 'Nothing')
    const stranger = await owner(server)
    const { clientId, accountId } = await brand(stranger)
    const body = { socialAccountId: accountId, content: 'Lemons of a stranger' }
    await stranger.callOrThrow('writePost', { params: { id: clientId }, body })
  })

  it.each([
    ['newest first', {}, ['latest', 'other', 'approved', 'scheduled', 'soon', 'unplanned', 'late', 'draft']],
    ['oldest first', { sort: 'oldest', status: 'draft' }, ['draft', 'other', 'latest']],
    ['by words of any client', { q: 'lem', status: 'draft' }, ['other', 'draft']],
    ['by a network and a status', { platform: 'facebook', status: 'pending' }, ['unplanned', 'late']],
    ['by planned time', { sort: 'planned', status: 'pending' }, ['soon', 'late', 'unplanned']],
    ['by an origin that none has', { origin: 'schedule' }, []],
    ['by their origin', { origin: 'user', status: 'draft' }, ['latest', 'other', 'draft']],
  ] as const)('is %s, as cards and as whole posts [P9.1]', async (_, query, expected) => {
    for (const view of [{}, { view: 'card' }]) {
      const { status, text, headers } = await all({ ...query, ...view })
      expect([status, namesIn(text)]).toEqual([200, expected])
      const isCounted = !('q' in query) && !('origin' in query)
      expect(headers.get('x-total-count')).toBe(isCounted ? String(expected.length) : null)
      expect(text).not.toContain('"origin"')
    }
  })

  it('comes in pages, each post once [P9.1]', async () => {
    const seen: unknown[] = []
    for (let { text, headers } = await all({ limit: '3', view: 'card' }); ;) {
      seen.push(...namesIn(text))
      const next = nextPage(headers)
      if (next === null) break
      ;({ text, headers } = await caller.get(next))
    }
    expect(seen).toEqual(['latest', 'other', 'approved', 'scheduled', 'soon', 'unplanned', 'late', 'draft'])
  })

  it('has imported posts by their origin, of one client too [P9.8]', async () => {
    const { rows } = await caller.callOrThrow('importPosts', {
      params: { id: other.clientId },
      body: new Blob(['content,platform\nFrom a file,instagram'], { type: 'text/csv' }),
    })
    ids['imported'] = rows[0]?.postId ?? ''
    expect(namesIn((await all({ origin: 'import' })).text)).toEqual(['imported'])
    expect(namesIn((await all({ origin: 'import', q: 'file' })).text)).toEqual(['imported'])
    expect(namesIn((await list({ origin: 'import' }, other.clientId)).text)).toEqual(['imported'])
    expect(namesIn((await list({ origin: 'import' })).text)).toEqual([])
    await caller.callOrThrow('deletePost', { params: { id: ids['imported'] } })
  })

  it('counts the posts of all clients by status, and leaves out those of a removed client [P9.2]', async () => {
    const byStatus = { draft: 3, pending: 3, approved: 1, scheduled: 1, published: 0, rejected: 0 }
    expect(await caller.callOrThrow('countAllPosts')).toEqual({ byStatus, total: 8 })
    await caller.callOrThrow('removeClient', { params: { id: other.clientId } })
    expect(await caller.callOrThrow('countAllPosts')).toEqual({ byStatus: { ...byStatus, draft: 1 }, total: 6 })
    expect(namesIn((await all({ status: 'draft' })).text)).toEqual(['draft'])
  })
})

it("The numbers of a client's posts are counted by status", async () => {
  const byStatus = { draft: 1, pending: 3, approved: 1, scheduled: 1, published: 0, rejected: 0 }
  expect(await caller.callOrThrow('countPosts', { params: { id: mine.clientId } })).toEqual({ byStatus, total: 6 })
})

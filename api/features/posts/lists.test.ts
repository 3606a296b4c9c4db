import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { patience } from '../../../domain/test/patience.ts'
import { agencyIdOf } from '../../core/agency-id.ts'
import { nextPage, type ApiClient } from '../../http/client.ts'
import { later } from '../../core/clock.ts'
import { zonedNow } from '../../core/time-zone.ts'
import { accepted } from '../../http/handler.ts'
import { brand, owner, testServer, type TestServer } from '../../testing/server.ts'

/** A page's limit, plus a little for brackets and the last comma. */
const maxBytes = 2_001_000
const long = 'ж'.repeat(65_000)

let server: TestServer
let caller: ApiClient
let mine: { readonly clientId: string; readonly accountId: string }

beforeAll(async () => {
  server = await testServer()
  caller = await owner(server)
  mine = await brand(caller)
})
afterAll(() => server.remove())

const write = async (content: string, more: object = {}) =>
  (
    await caller.callOrThrow('writePost', {
      params: { id: mine.clientId },
      body: { socialAccountId: mine.accountId, content, ...more },
    })
  ).id
const list = (query: Readonly<Record<string, string>> = {}) =>
  caller.ask('listPosts', { params: { id: mine.clientId }, query })
const idsOf = (text: string) => (JSON.parse(text) as readonly { readonly id: string }[]).map(({ id }) => id)

async function pagesOf(first: string): Promise<{ readonly ids: string[]; readonly bytes: number[] }> {
  const ids: string[] = []
  const bytes: number[] = []
  for (let next: string | null = first; next !== null;) {
    const { text, headers, status } = await caller.get(next)
    expect({ status, text: status === 200 ? '' : text }).toEqual({ status: 200, text: '' })
    ids.push(...idsOf(text))
    bytes.push(Buffer.byteLength(text))
    next = nextPage(headers)
  }
  return { ids, bytes }
}

describe("A client's posts", () => {
  const written: string[] = []
  const address = () => `/api/clients/${mine.clientId}/posts`
  beforeAll(async () => {
    for (let at = 0; at < 40; at++) {
      server.clock.advance(1_000)
      written.unshift(await write(`${at} ${long}`.slice(0, 65_000)))
    }
  })

  it(
    'come in pages of at most 2 MB with whole texts, newest first, each post once [S64]',
    { tags: 'long' },
    async () => {
      const { ids, bytes } = await pagesOf(address())
      expect(ids).toEqual(written)
      expect(bytes.length).toBeGreaterThan(2)
      expect(Math.max(...bytes)).toBeLessThanOrEqual(maxBytes)
      const first = await list()
      expect(first.headers.get('x-total-count')).toBe('40')
      expect((JSON.parse(first.text) as readonly { content: string }[])[0]?.content).toHaveLength(65_000)
    },
  )

  it('come as cards with the beginning of each text, all in one short answer', async () => {
    const { headers, text } = await list({ view: 'card' })
    expect(nextPage(headers)).toBeNull()
    expect(headers.get('x-total-count')).toBe('40')
    expect(Buffer.byteLength(text)).toBeLessThan(100_000)
    const cards = await caller.tellAs('listPosts', 'card', { params: { id: mine.clientId } })
    expect(cards.map(({ id }) => id)).toEqual(written)
    expect(cards[0]).toMatchObject({ truncated: true })
    expect(cards.every(({ excerpt }) => excerpt.length <= 400 && excerpt.endsWith('…'))).toBe(true)
    expect(text).not.toContain('"content"')
  })

  it('keep their place between two pages when others are written and deleted meanwhile', { tags: 'long' }, async () => {
    const first = await list()
    const seen = idsOf(first.text)
    const fresh = await write('Written between two pages')
    // One that was shown, the cursor's own, and one still to come.
    const gone = [seen[1], seen.at(-1), written.at(-2)].map((id) => id ?? '')
    for (const id of gone) await caller.callOrThrow('deletePost', { params: { id } })
    const { ids } = await pagesOf(nextPage(first.headers) ?? '')
    expect(ids).toEqual(written.filter((id) => !seen.includes(id) && !gone.includes(id)))
    await caller.callOrThrow('deletePost', { params: { id: fresh } })
    for (const id of gone) written.splice(written.indexOf(id), 1)
  })

  it('have cursors that reveal nothing about the installation', async () => {
    const cursor = new URL(nextPage((await list()).headers) ?? '', 'http://localhost').searchParams.get('cursor') ?? ''
    const [id, createdAt, ...rest] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as readonly string[]
    expect(rest).toEqual([])
    expect(written).toContain(id)
    expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT/)
  })

  it.each(['nonsense', 'WyJhIl0', 'WyJhIiwxZTQwMF0', 'W10', 'x'.repeat(500)])(
    'are refused for an invalid cursor: %s',
    async (cursor) => {
      expect(await list({ cursor })).toMatchObject({ status: 400, text: 'Cursor: Not from an earlier answer' })
      expect(await list({ cursor, view: 'card' })).toMatchObject({ status: 400 })
      expect(await list({ cursor, asOf: server.clock.now() })).toMatchObject({ status: 400 })
    },
  )

  it('come in the same pages as they were at an instant, from the log alone', { tags: 'long' }, async () => {
    const at = server.clock.now()
    server.clock.advance(60_000)
    const then = [...written]
    await caller.callOrThrow('deletePost', { params: { id: written[5] ?? '' } })
    written.splice(5, 1)
    await write('Not there yet')
    const whole = await pagesOf(`${address()}?asOf=${at}`)
    expect(whole.ids).toEqual(then)
    expect(Math.max(...whole.bytes)).toBeLessThanOrEqual(maxBytes)
    expect(whole.bytes.length).toBeGreaterThan(2)
    const cards = await pagesOf(`${address()}?asOf=${at}&view=card`)
    expect(cards.ids).toEqual(then)
    expect(cards.bytes).toHaveLength(1)
  })
})

describe('More than a thousand posts', { tags: 'long' }, () => {
  it('come a thousand at a time, as cards too', { tags: 'long' }, async () => {
    const { id: clientId } = await caller.callOrThrow('addClient', { body: { name: 'Busy brand' } })
    const { id: accountId } = await caller.callOrThrow('addSocialAccount', {
      params: { id: clientId },
      body: { platform: 'facebook', accountName: 'Busy' },
    })
    const command = {
      type: 'WritePost',
      clientId,
      accountId,
      platform: 'facebook',
      imageUrl: null,
      scheduledFor: null,
      as: 'draft',
      generation: null,
      plan: null,
    } as const
    const { id: userId } = await caller.callOrThrow('getUser')
    const by = { actor: { type: 'user', id: userId }, agencyId: agencyIdOf(userId), correlationId: 'many' } as const
    const written = Array.from({ length: 1_001 }, async (_, at) => {
      const postId = uuidv7()
      return accepted(await server.commands.post(postId, { ...command, postId, content: `Post ${at}` }, by))
        .appendedEvents
    })
    const appendedEvents = (await Promise.all(written)).flat()
    expect(appendedEvents).toHaveLength(1_001)
    await vi.waitFor(async () => expect(await server.views.postCards.count({ clientId })).toBe(1_001), patience)
    await vi.waitFor(async () => expect(await server.views.posts.count({ clientId })).toBe(1_001), patience)
    for (const query of ['', '?view=card']) {
      const first = await caller.get(`/api/clients/${clientId}/posts${query}`)
      expect(idsOf(first.text)).toHaveLength(1_000)
      expect(first.headers.get('x-total-count')).toBe('1001')
      const rest = await caller.get(nextPage(first.headers) ?? '')
      expect(idsOf(rest.text)).toHaveLength(1)
      expect(nextPage(rest.headers)).toBeNull()
    }
    expect(await caller.tellAll('listPosts', { params: { id: clientId } })).toHaveLength(1_001)
  })
})

describe('The calendar', () => {
  it('has the beginning of each text, so that a month of long posts is a short answer', { tags: 'long' }, async () => {
    const { id: clientId } = await caller.callOrThrow('addClient', { body: { name: 'Planned brand' } })
    const { id: socialAccountId } = await caller.callOrThrow('addSocialAccount', {
      params: { id: clientId },
      body: { platform: 'facebook', accountName: 'Planned' },
    })
    const at = later(server.clock.now(), 86_400_000)
    for (let count = 0; count < 12; count++) {
      const { id } = await caller.callOrThrow('writePost', {
        params: { id: clientId },
        body: { socialAccountId, content: 'ж'.repeat(63_000) },
      })
      await caller.callOrThrow('changePost', { params: { id }, body: { status: 'scheduled', scheduledFor: at } })
    }
    const query = { month: zonedNow(at, 'Europe/Berlin').toPlainDate().toString().slice(0, 7), client: clientId }
    for (const asked of [query, { ...query, asOf: server.clock.now() }]) {
      const { text } = await caller.ask('getCalendar', { query: asked })
      expect(Buffer.byteLength(text)).toBeLessThan(30_000)
      expect(JSON.parse(text)).toHaveLength(12)
      expect(JSON.parse(text)[0]).toMatchObject({ truncated: true })
    }
  })
})

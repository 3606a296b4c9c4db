/** Reads that a client has already: over real HTTP, with the tag of the answer before. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { brand, owner, testServer, type TestServer } from '../testing/server.ts'
import type { ApiClient } from './client.ts'
import { hasSame, minTagged, tagOf } from './entity-tag.ts'

let server: TestServer
let caller: ApiClient
let list: string
let write: () => Promise<unknown>

beforeAll(async () => {
  server = await testServer()
  caller = await owner(server)
  const { clientId, accountId } = await brand(caller)
  list = `/api/clients/${clientId}/posts`
  write = () =>
    caller.callOrThrow('writePost', {
      params: { id: clientId },
      body: { socialAccountId: accountId, content: 'Fresh coffee '.repeat(100) },
    })
  for (let at = 0; at < 5; at++) await write()
})
afterAll(() => server.remove())

const get = (path: string, tag?: string, by = caller) =>
  by.fetch('GET', path, undefined, tag === undefined ? {} : { 'If-None-Match': tag })
const tagged = async (path: string, by = caller) => (await get(path, undefined, by)).headers.get('etag') ?? 'none'

describe('A list that is read again', () => {
  it('comes without its body while it is the same, with the position up to which it is', async () => {
    const before = await get(list)
    const tag = before.headers.get('etag') ?? ''
    expect(tag).toMatch(/^W\/"[\w-]{22}"$/)
    // Something else changes: the list stays the same, and the position goes on.
    await caller.callOrThrow('addClient', { body: { name: 'Another' } })
    const again = await get(list, tag)
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', tag])
    expect(again.headers.get('cache-control')).toBe('no-store')
    expect(again.headers.get('x-position')).toMatch(/.+/)
    expect(again.headers.get('x-position')).not.toBe(before.headers.get('x-position'))
  })
  it('comes whole after a change', async () => {
    const tag = await tagged(list)
    await write()
    const again = await get(list, tag)
    expect([again.status, (JSON.parse(again.text) as readonly unknown[]).length]).toEqual([200, 6])
    expect(again.headers.get('etag')).not.toBe(tag)
  })
  it('names its next page, also without its body', async () => {
    const { status, headers } = await get(`${list}?limit=4`, await tagged(`${list}?limit=4`))
    expect([status, headers.get('link')]).toEqual([304, expect.stringContaining('rel="next"')])
  })
  it('is the same to a reader who asks for it compressed, uncompressed, or as a browser does with a tag', async () => {
    const tag = await tagged(list)
    for (const headers of [
      { 'Accept-Encoding': 'br' },
      { 'Accept-Encoding': 'identity' },
      { 'Cache-Control': 'no-cache' },
    ])
      expect((await caller.fetch('GET', list, undefined, { 'If-None-Match': tag, ...headers })).status).toBe(304)
  })
  it('has another tag for another query, and for another agency', async () => {
    const other = await owner(server)
    const tags = [await tagged(list), await tagged(`${list}?status=draft`)]
    expect(new Set(tags).size).toBe(2)
    expect((await get(`${list}?status=draft`, tags[0])).status).toBe(200)
    expect((await get(list, tags[0], other)).status).toBe(404)
  })
  it('is 401 to a stranger who has its tag', async () => {
    const response = await fetch(server.url + list, { headers: { 'If-None-Match': await tagged(list) } })
    expect(response.status).toBe(401)
  })
})

it('A short answer has no tag', async () => {
  expect((await get('/api/agency')).headers.get('etag')).toBeNull()
})

describe('A tag', () => {
  const text = 'x'.repeat(minTagged)
  it('is of the scope and the text', () => {
    const tags = [tagOf('a', text), tagOf('b', text), tagOf('a', `${text}x`)]
    expect(new Set([...tags, tagOf('a', text)]).size).toBe(3)
  })
  it.each([
    [undefined, false],
    ['', false],
    ['*', false],
    ['W/"a"', true],
    ['"b", W/"a"', true],
    ['"a"', false],
  ])('is named by If-None-Match: %s is %s', (sent, expected) => {
    expect(hasSame(sent, 'W/"a"')).toBe(expected)
  })
})

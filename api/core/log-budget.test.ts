/** @module-tag long */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ApiClient } from '../http/client.ts'
import { later } from './clock.ts'
import { brand, owner, testServer, type TestServer } from '../testing/server.ts'

const text = 'x'.repeat(63_000)
const sentence =
  /^Your agency has written 1 MB since midnight UTC, which is as much as this server takes a day\. You can go on in \d+ (hours?|minutes?)\.$/

let server: TestServer
let caller: ApiClient
let mine: { readonly clientId: string; readonly accountId: string }
/** Written before the budget was used up. */
let ids: Record<'draft' | 'pending' | 'approved' | 'due' | 'other', string>

const write = (who: ApiClient, { clientId, accountId }: typeof mine, content: string, more: object = {}) =>
  who.ask('writePost', { params: { id: clientId }, body: { socialAccountId: accountId, content, ...more } })
const written = async (content: string, more: object = {}) =>
  (JSON.parse((await write(caller, mine, content, more)).text) as { readonly id: string }).id
const change = (id: string, body: object) => caller.ask('changePost', { params: { id }, body })

beforeAll(async () => {
  server = await testServer({ LOG_MB_PER_DAY: '1' })
  // Keeps the UTC day from ending during the test.
  const hour = new Date(server.clock.now()).getUTCHours()
  if (hour >= 22) server.clock.advance(3 * 3_600_000)
  caller = await owner(server)
  mine = await brand(caller)
  ids = {
    draft: await written('A draft'),
    pending: await written('Pending', { status: 'pending' }),
    approved: await written('Approved', { status: 'pending' }),
    due: await written('Due soon'),
    other: await written('To be deleted'),
  }
  await change(ids.approved, { status: 'approved' })
  await change(ids.due, { status: 'scheduled', scheduledFor: later(server.clock.now(), 60_000) })
})
afterAll(() => server.remove())

describe('An agency over its daily log budget', () => {
  it('is refused with an explanation and a time to retry, and nothing is stored [S60]', { tags: 'long' }, async () => {
    let accepted = 0
    let last = await write(caller, mine, text)
    for (; last.status === 201 && accepted < 30; last = await write(caller, mine, text)) accepted += 1
    expect(last.status).toBe(429)
    expect(last.text).toMatch(sentence)
    const seconds = Number(last.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(86_400)
    // A megabyte holds fifteen such texts and their metadata.
    expect(accepted).toBeGreaterThanOrEqual(14)
    expect(accepted).toBeLessThanOrEqual(16)
    expect((await caller.ask('listPosts', { params: { id: mine.clientId } })).headers.get('x-total-count')).toBe(
      String(5 + accepted),
    )
  })

  it.each([
    ['writing', () => write(caller, mine, 'Short')],
    ['editing', () => change(ids.draft, { content: 'Other words' })],
    ['submitting', () => change(ids.draft, { status: 'pending' })],
    ['moving', () => change(ids.approved, { scheduledFor: later(server.clock.now(), 5 * 86_400_000) })],
    ['adding a client', () => caller.ask('addClient', { body: { name: 'Another' } })],
    [
      'issuing a link',
      () =>
        caller.ask('issueAuditorLink', {
          body: { label: 'Auditor', expiresAt: later(server.clock.now(), 86_400_000) },
        }),
    ],
    ['connecting an account', () => caller.ask('connectSocialAccount', { params: { id: mine.accountId } })],
    [
      'having a text generated',
      () => caller.ask('generateContent', { body: { clientId: mine.clientId, platform: 'facebook', topic: 'Coffee' } }),
    ],
  ])('is refused %s', async (_, act) => {
    const { status, text: output, headers } = await act()
    expect({ status, output }).toEqual({ status: 429, output: expect.stringMatching(sentence) })
    expect(headers.get('retry-after')).toMatch(/^\d+$/)
  })

  it('gets a refusal for each row of an import and each post of a review', async () => {
    const body = new Blob(['content,platform\nOne,facebook\nTwo,facebook\n'], { type: 'text/csv' })
    const { rows } = await caller.callOrThrow('importPosts', { params: { id: mine.clientId }, body })
    expect(rows.map(({ verdict, sentence: why }) => [verdict, why])).toEqual([
      ['refused', expect.stringMatching(sentence)],
      ['refused', expect.stringMatching(sentence)],
    ])
    const { results } = await caller.callOrThrow('reviewPosts', { body: { ids: [ids.pending], status: 'approved' } })
    expect(results).toMatchObject([{ done: false, sentence: expect.stringMatching(sentence) }])
  })

  it('still publishes, and may reject, return, delete and disconnect', async () => {
    server.clock.advance(61_000)
    await vi.waitFor(
      async () => expect((await caller.callOrThrow('getPost', { params: { id: ids.due } })).status).toBe('published'),
      10_000,
    )
    expect((await change(ids.pending, { status: 'rejected', reason: 'Too late' })).status).toBe(200)
    expect((await change(ids.approved, { status: 'draft' })).status).toBe(200)
    expect((await caller.ask('deletePost', { params: { id: ids.other } })).status).toBe(204)
    expect((await caller.ask('disconnectSocialAccount', { params: { id: mine.accountId } })).status).toBe(204)
  })

  it('does not affect other agencies', async () => {
    const other = await owner(server)
    const theirs = await brand(other)
    expect((await write(other, theirs, text)).status).toBe(201)
  })

  it('is still refused after a restart, and accepted the next day', async () => {
    const cookie = caller.cookie
    server = await server.restart()
    Object.assign(caller, { url: server.url, cookie })
    expect((await write(caller, mine, 'Short')).status).toBe(429)
    server.clock.advance(Number((await write(caller, mine, 'Short')).headers.get('retry-after')) * 1_000)
    expect((await write(caller, mine, 'Short')).status).toBe(201)
  })
})

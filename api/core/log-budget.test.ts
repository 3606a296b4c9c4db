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
  // So that the day doesn't end while the test runs.
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

describe('An agency that writes more than its day allows', () => {
  it('is told so with a sentence and a time, and nothing of it is kept', async () => {
    let accepted = 0
    let last = await write(caller, mine, text)
    for (; last.status === 201 && accepted < 30; last = await write(caller, mine, text)) accepted += 1
    expect(last.status).toBe(429)
    expect(last.text).toMatch(sentence)
    const seconds = Number(last.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(86_400)
    // A megabyte holds fifteen such texts and what stands beside them.
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
  ])('waits with %s', async (_, act) => {
    const { status, text: told, headers } = await act()
    expect({ status, told }).toEqual({ status: 429, told: expect.stringMatching(sentence) })
    expect(headers.get('retry-after')).toMatch(/^\d+$/)
  })

  it('has each row of a file and each post of a review refused with the sentence', async () => {
    const body = new Blob(['content,platform\nOne,facebook\nTwo,facebook\n'], { type: 'text/csv' })
    const { rows } = await caller.callOrThrow('importPosts', { params: { id: mine.clientId }, body })
    expect(rows.map(({ verdict, sentence: why }) => [verdict, why])).toEqual([
      ['refused', expect.stringMatching(sentence)],
      ['refused', expect.stringMatching(sentence)],
    ])
    const { results } = await caller.callOrThrow('reviewPosts', { body: { ids: [ids.pending], status: 'approved' } })
    expect(results).toMatchObject([{ done: false, sentence: expect.stringMatching(sentence) }])
  })

  it('is published all the same, and can take back what it has: reject, return, delete, disconnect', async () => {
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

  it('costs no other agency anything', async () => {
    const other = await owner(server)
    const theirs = await brand(other)
    expect((await write(other, theirs, text)).status).toBe(201)
  })

  it('is still told so after a restart, and goes on the next day', async () => {
    const cookie = caller.cookie
    server = await server.restart()
    Object.assign(caller, { url: server.url, cookie })
    expect((await write(caller, mine, 'Short')).status).toBe(429)
    server.clock.advance(Number((await write(caller, mine, 'Short')).headers.get('retry-after')) * 1_000)
    expect((await write(caller, mine, 'Short')).status).toBe(201)
  })
})

/** What needs a person, over HTTP: counts, lines and the next posts of one agency. */
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { PostCommand } from '../../../domain/post/commands.ts'
import { patience } from '../../../domain/test/patience.ts'
import { agencyIdOf } from '../../core/agency-id.ts'
import { later } from '../../core/clock.ts'
import type { ApiClient } from '../../http/client.ts'
import { brand, owner, testServer, type TestServer } from '../../testing/server.ts'
import { actFor } from './attention-act.ts'

const hour = 3_600_000

let server: TestServer
let caller: ApiClient
let agencyId: string
let blue: { clientId: string; accountId: string }

beforeAll(async () => {
  // The publisher stays away from posts that the tests hold, fail and lose in its place.
  server = await testServer({ PUBLISH_POLL_MS: '3600000' })
})
afterAll(() => server.remove())
beforeEach(async () => {
  caller = await owner(server)
  agencyId = agencyIdOf((await caller.callOrThrow('getUser')).id)
  blue = await brand(caller)
})

type Status = 'draft' | 'pending' | 'scheduled'
const write = async (content: string, status: Status, inMs: number | null, of = blue): Promise<string> => {
  const { id } = await caller.callOrThrow('writePost', {
    params: { id: of.clientId },
    body: {
      socialAccountId: of.accountId,
      content,
      status,
      scheduledFor: inMs === null ? null : later(server.clock.now(), inMs),
    },
  })
  return id
}
const publisher = () => ({ actor: { type: 'process', id: 'publisher' }, agencyId, correlationId: uuidv7() }) as const

async function tried(id: string, outcome: (attemptId: string) => PostCommand): Promise<string> {
  const attemptId = uuidv7()
  const claim = { type: 'ClaimPost', attemptId, until: later(server.clock.now(), hour) } as const
  for (const command of [claim, outcome(attemptId)]) {
    const result = await server.commands.post(id, command, publisher())
    if ('refused' in result) throw new Error(result.refused.reason)
  }
  return id
}
const fail = (id: string, remedy: 'wait' | 'edit' = 'wait') =>
  tried(id, (attemptId) => ({ type: 'RecordPublishingFailed', attemptId, cause: 'Refused.', remedy }))
const lose = (id: string) =>
  tried(id, (attemptId) => ({ type: 'RecordOutcomeUnknown', attemptId, cause: 'No answer.' }))
const hold = async (id: string) => {
  const held = await server.commands.post(id, { type: 'HoldPost', because: 'overdue' }, publisher())
  if ('refused' in held) throw new Error(held.refused.reason)
  return id
}
const attention = (of = caller) => of.callOrThrow('getAttention')
/** The views follow the publisher's events in their own time. */
const shows = (expected: object) => vi.waitFor(async () => expect(await attention()).toMatchObject(expected), patience)

describe('What needs a person', () => {
  it('is counted by kind, and each post has its client, account and the one act that helps [P8.1]', async () => {
    const due: string[] = []
    for (const content of ['Failed', 'Unknown', 'Held']) due.push(await write(content, 'scheduled', hour))
    server.clock.advance(hour)
    const [failed = '', unknown = '', held = ''] = due
    const ids = {
      failed: await fail(failed, 'edit'),
      unknown: await lose(unknown),
      held: await hold(held),
      pending: await write('Pending', 'pending', 5 * hour),
      draft: await write('Draft', 'draft', 47 * hour),
    }
    await write('Much later', 'draft', 49 * hour)
    await write('Without a time', 'draft', null)
    await shows({
      counts: { failed: 1, unknown: 1, held: 1, pending: 1, draft: 1 },
      posts: [
        { kind: 'failed', act: 'return-to-draft', clientName: 'Blue Cup', post: { id: ids.failed } },
        { kind: 'unknown', act: 'settle', post: { id: ids.unknown } },
        { kind: 'held', post: { id: ids.held } },
        { kind: 'pending', act: 'review', post: { id: ids.pending, excerpt: 'Pending' } },
        { kind: 'draft', act: 'open', post: { id: ids.draft } },
      ],
    })
  })

  it('has five posts of a kind at most, the earliest first, and all of them page by page [P8.2]', async () => {
    for (let at = 7; at > 0; at--) await write(`Number ${at}`, 'pending', at * hour)
    const { counts, posts } = await attention()
    expect(counts.pending).toBe(7)
    expect(posts.map(({ post }) => post.excerpt)).toEqual([1, 2, 3, 4, 5].map((at) => `Number ${at}`))
    const all = await caller.callOrThrow('listAttention', { params: { kind: 'pending' } })
    expect(all.map(({ post }) => post.excerpt)).toEqual([1, 2, 3, 4, 5, 6, 7].map((at) => `Number ${at}`))
  })

  it('names an account that is not connected while posts wait for it [P8.3]', async () => {
    await write('Waits', 'scheduled', hour)
    await caller.callOrThrow('disconnectSocialAccount', { params: { id: blue.accountId } })
    const { connections } = await attention()
    expect(connections).toMatchObject([{ accountId: blue.accountId, state: 'none', posts: 1, clientName: 'Blue Cup' }])
  })

  it('leaves posts on hold for an account without a connection to the line of the account', async () => {
    const green = await brand(caller)
    const [mine, other] = [await write('Mine', 'scheduled', hour), await write('Other', 'scheduled', hour, green)]
    server.clock.advance(hour)
    await server.commands.post(mine, { type: 'HoldPost', because: 'not-connected' }, publisher())
    await server.commands.post(other, { type: 'HoldPost', because: 'not-connected' }, publisher())
    await caller.callOrThrow('disconnectSocialAccount', { params: { id: blue.accountId } })
    await shows({
      counts: { held: 1 },
      posts: [{ kind: 'held', post: { id: other } }],
      connections: [{ accountId: blue.accountId, state: 'none', posts: 1 }],
    })
    const all = await caller.callOrThrow('listAttention', { params: { kind: 'held' } })
    expect(all.map(({ post }) => post.id)).toEqual([other])
  })

  it('counts no posts of a removed client', async () => {
    const green = await brand(caller)
    await write('Kept', 'pending', hour)
    const gone = await write('Gone', 'pending', hour, green)
    await server.commands.agency(agencyId, { type: 'RemoveClient', clientId: green.clientId }, publisher())
    const { counts, posts } = await attention()
    expect([counts.pending, posts.length, posts.some(({ post }) => post.id === gone)]).toEqual([1, 1, false])
  })

  it('has the next ten posts of all clients, the earliest first [P8.4]', { tags: 'long' }, async () => {
    const green = await brand(caller)
    for (let at = 11; at > 0; at--) await write(`Number ${at}`, 'scheduled', at * hour, at % 2 ? blue : green)
    const { nextUp } = await attention()
    expect(nextUp.map(({ post }) => [post.excerpt, post.clientId])).toEqual(
      Array.from({ length: 10 }, (_, at) => [`Number ${at + 1}`, at % 2 ? green.clientId : blue.clientId]),
    )
  })

  it("is the own agency's only [P8.5]", async () => {
    await write('Mine', 'pending', hour)
    const other = await owner(server)
    expect(await attention(other)).toEqual({
      counts: { failed: 0, unknown: 0, held: 0, pending: 0, draft: 0 },
      posts: [],
      connections: [],
      nextUp: [],
    })
    expect(await other.callOrThrow('listAttention', { params: { kind: 'pending' } })).toEqual([])
  })
})

describe('The one act that helps', () => {
  const well = { isConnected: true, standing: 'good' } as const
  const card = { remedy: null, heldBecause: null }
  const rows = [
    ['a failed post is tried again', 'failed', { ...card, remedy: 'wait' }, well, 'retry'],
    [
      'a failed post that has to change returns to draft',
      'failed',
      { ...card, remedy: 'edit' },
      well,
      'return-to-draft',
    ],
    ['a failed post that may be live is opened', 'failed', { ...card, remedy: 'check' }, well, 'open'],
    [
      'a lost account is connected first',
      'failed',
      { ...card, remedy: 'reconnect' },
      { ...well, isConnected: false },
      'connect',
    ],
    ['a reconnected account lets its post be tried again', 'failed', { ...card, remedy: 'reconnect' }, well, 'retry'],
    ['an overdue post is released', 'held', { ...card, heldBecause: 'overdue' }, well, 'release'],
    [
      'an unpaid subscription is paid first',
      'held',
      { ...card, heldBecause: 'subscription-needed' },
      { ...well, standing: 'unpaid' },
      'pay',
    ],
    [
      'a held post without a connection waits for it',
      'held',
      { ...card, heldBecause: 'not-connected' },
      { ...well, isConnected: false },
      'connect',
    ],
    [
      'another profile needs a new approval',
      'held',
      { ...card, heldBecause: 'changed-account' },
      well,
      'return-to-draft',
    ],
  ] as const

  it('follows from the reason, the connection and the subscription [P8.6]', () => {
    for (const [title, kind, post, around, act] of rows)
      expect([title, actFor(kind, post, around)]).toEqual([title, act])
  })
})

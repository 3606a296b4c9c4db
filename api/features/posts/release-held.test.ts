/** @module-tag long */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { patience } from '../../../domain/test/patience.ts'
import { agencyIdOf } from '../../core/agency-id.ts'
import type { ApiClient } from '../../http/client.ts'
import { later } from '../../core/clock.ts'
import type { AppendedEvent } from '../../core/command-handler.ts'
import type { Standing } from '../../../domain/core/values.ts'
import { brand, owner, testServer, type TestServer } from '../../testing/server.ts'
import { releaseHeldHandlers } from './release-held.ts'

const minute = 60_000
const day = 24 * 60 * minute
const trial = 7 * day

let server: TestServer
let caller: ApiClient
let agencyId: string

beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.remove())
beforeEach(async () => {
  caller = await owner(server)
  agencyId = agencyIdOf((await caller.callOrThrow('getUser')).id)
})

const inTime = (ms: number) => later(server.clock.now(), ms)

async function schedule(
  { clientId, accountId }: { clientId: string; accountId: string },
  content: string,
  inMs: number,
): Promise<string> {
  const { id } = await caller.callOrThrow('writePost', {
    params: { id: clientId },
    body: { socialAccountId: accountId, content },
  })
  await caller.callOrThrow('changePost', { params: { id }, body: { status: 'scheduled', scheduledFor: inTime(inMs) } })
  return id
}
const pay = (status: 'active' | 'unpaid' = 'active') =>
  server.commands.agency(
    agencyId,
    {
      type: 'RecordSubscription',
      heard: 'told',
      subscriptionId: 'sub_1',
      customerId: `cus_${agencyId}`,
      status,
      currentPeriodEnd: inTime(30 * day),
      endsWithPeriod: false,
      begunAt: '2026-03-01T00:00:00.000Z',
      asOf: server.clock.now(),
    },
    { actor: { type: 'process', id: 'billing' }, agencyId, correlationId: agencyId },
  )
const stateOf = async (id: string) => {
  const { status, delivery } = await caller.callOrThrow('getPost', { params: { id } })
  return status === 'published' ? status : delivery
}
const become = (ids: readonly string[], state: string) =>
  vi.waitFor(async () => expect(await Promise.all(ids.map(stateOf))).toEqual(ids.map(() => state)), {
    ...patience,
    interval: 20,
  })
const isHeld = (count: number) =>
  vi.waitFor(async () => expect((await caller.callOrThrow('getAgency')).heldPosts).toBe(count), {
    ...patience,
    interval: 20,
  })
const standingIs = async (standing: Standing) => expect((await caller.callOrThrow('getAgency')).standing).toBe(standing)

describe('posts held for lack of payment', () => {
  it('are published in order after the payment, when a user releases them, and not before', async () => {
    const mine = await brand(caller)
    const ids = [
      await schedule(mine, 'Third', trial + 30 * minute),
      await schedule(mine, 'First', trial + 10 * minute),
      await schedule(mine, 'Second', trial + 20 * minute),
    ]
    server.clock.advance(trial + 40 * minute)
    await become(ids, 'held')
    await isHeld(3)
    await standingIs('trial-ended')
    await pay()
    await standingIs('good')
    expect(await Promise.all(ids.map(stateOf))).toEqual(['held', 'held', 'held'])
    expect(await caller.callOrThrow('releaseHeldPosts')).toEqual({ released: 3, left: 0 })
    await isHeld(0)
    await become(ids, 'published')
    const out = await Promise.all(
      ids.map(async (id) => ({ id, at: (await caller.callOrThrow('getPost', { params: { id } })).publishedAt ?? '' })),
    )
    expect(out.toSorted((a, b) => (a.at < b.at ? -1 : 1)).map(({ id }) => id)).toEqual([ids[1], ids[2], ids[0]])
  })
  it('keep a future time that they were given', async () => {
    const mine = await brand(caller)
    const id = await schedule(mine, 'Later', trial + 20 * minute)
    server.clock.advance(trial + 40 * minute)
    await become([id], 'held')
    await pay()
    const scheduledFor = inTime(2 * day)
    await caller.callOrThrow('changePost', { params: { id }, body: { scheduledFor } })
    await vi.waitFor(
      async () => expect(await server.views.duePosts.get(id)).toMatchObject({ scheduledFor, delivery: 'held' }),
      { ...patience, interval: 20 },
    )
    expect(await caller.callOrThrow('releaseHeldPosts')).toEqual({ released: 1, left: 0 })
    expect(await caller.callOrThrow('getPost', { params: { id } })).toMatchObject({
      scheduledFor,
      delivery: 'none',
      status: 'scheduled',
    })
  })
  it('stay held while the trial is over or the subscription unpaid, and the answer says why', async () => {
    const mine = await brand(caller)
    const id = await schedule(mine, 'Waits', trial + 20 * minute)
    server.clock.advance(trial + 40 * minute)
    await become([id], 'held')
    expect(await caller.ask('releaseHeldPosts')).toMatchObject({
      status: 402,
      text: 'Your free trial has ended. Add a payment method to continue.',
    })
    await pay('unpaid')
    expect(await caller.ask('releaseHeldPosts')).toMatchObject({
      status: 402,
      text: 'Your last payment did not go through. Update your payment method to continue.',
    })
    expect(await stateOf(id)).toBe('held')
  })
  it('are released once, even for many requests at once', async () => {
    const mine = await brand(caller)
    const ids = await Promise.all(['A', 'B', 'C', 'D'].map((text) => schedule(mine, text, trial + 20 * minute)))
    server.clock.advance(trial + 40 * minute)
    await become(ids, 'held')
    await isHeld(4)
    await pay()
    const answers = await Promise.all(Array.from({ length: 8 }, () => caller.callOrThrow('releaseHeldPosts')))
    expect(answers.reduce((sum, { released }) => sum + released, 0)).toBe(4)
    await become(ids, 'published')
  })
})

describe('more held posts than one batch', () => {
  it('are released with one request', async () => {
    const [count, maxAtOnce] = [12, 5]
    const mine = await brand(caller)
    await caller.callOrThrow('disconnectSocialAccount', { params: { id: mine.accountId } })
    const texts = Array.from({ length: count }, (_, index) => `Post ${index}`)
    await Promise.all(texts.map((text) => schedule(mine, text, trial + 20 * minute)))
    server.clock.advance(trial + 40 * minute)
    await isHeld(count)
    await pay()
    const { releaseHeldPosts } = releaseHeldHandlers(server, maxAtOnce)
    const { body } = await releaseHeldPosts(await asked())
    expect(body).toEqual({ released: count, left: 0 })
  })
})

/** The caller's request as its handler gets it. */
async function asked() {
  const userId = (await caller.callOrThrow('getUser')).id
  return {
    params: undefined,
    query: undefined,
    body: undefined,
    address: '',
    device: null,
    requestId: '',
    idempotencyKey: null,
    signIn: null,
    oidc: null,
    userAgent: '',
    lastEventId: null,
    session: { id: 'session', userId, agencyId: null },
    me: { id: userId, userId, role: 'owner', clients: 'all', invitationId: null, joinedAt: null },
    agencyId,
    by: { actor: { type: 'user', id: userId }, agencyId, correlationId: agencyId },
    aggregates: server.commands.newScope(),
    loadAgency: async () => (await server.commands.loadAgency(agencyId)).state,
    charge: async () => undefined,
    visible: (appended: readonly AppendedEvent[]) => server.projector.waitFor(appended, patience.timeout),
  } as const
}

describe('a release', () => {
  it('leaves posts held for another reason', async () => {
    const mine = await brand(caller)
    await pay()
    const id = await schedule(mine, 'Its account is away', minute)
    await caller.callOrThrow('disconnectSocialAccount', { params: { id: mine.accountId } })
    server.clock.advance(2 * minute)
    await become([id], 'held')
    expect(await caller.callOrThrow('releaseHeldPosts')).toEqual({ released: 0, left: 0 })
    expect(await stateOf(id)).toBe('held')
  })
  it('leaves posts of another agency', async () => {
    const mine = await brand(caller)
    const id = await schedule(mine, 'Mine', trial + 20 * minute)
    server.clock.advance(trial + 40 * minute)
    await become([id], 'held')
    await isHeld(1)
    const stranger = await owner(server)
    expect(await stranger.callOrThrow('releaseHeldPosts')).toEqual({ released: 0, left: 0 })
    expect(await stateOf(id)).toBe('held')
  })
})

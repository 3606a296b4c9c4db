/** Settling an unknown outcome over HTTP: which attempt a user speaks of. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { agencyIdOf } from '../../core/agency-id.ts'
import { later } from '../../core/clock.ts'
import type { ApiClient } from '../../http/client.ts'
import { brand, owner, testServer, type TestServer } from '../../testing/server.ts'

const minute = 60_000
const attempts = ['0195a000-0000-7000-8000-000000000001', '0195a000-0000-7000-8000-000000000002'] as const
const [first, second] = attempts
const url = 'https://network.example/1'

let server: TestServer
let caller: ApiClient
let id: string

beforeAll(async () => {
  // The publisher leaves the posts to the test, which records the attempts itself.
  server = await testServer({ PUBLISH_POLL_MS: '3600000' })
})
afterAll(() => server.remove())
beforeEach(async () => {
  caller = await owner(server)
  const { clientId, accountId } = await brand(caller)
  const body = { socialAccountId: accountId, content: 'Hello' }
  id = (await caller.callOrThrow('writePost', { params: { id: clientId }, body })).id
  const scheduledFor = later(server.clock.now(), minute)
  await caller.callOrThrow('changePost', { params: { id }, body: { status: 'scheduled', scheduledFor } })
  server.clock.advance(minute)
})

/** An attempt whose outcome is unknown. */
async function attempt(attemptId: string): Promise<void> {
  const agencyId = agencyIdOf((await caller.callOrThrow('getUser')).id)
  const by = { actor: { type: 'process', id: 'publisher' }, agencyId, correlationId: attemptId } as const
  const until = later(server.clock.now(), 60 * minute)
  expect(await server.commands.post(id, { type: 'ClaimPost', attemptId, until }, by)).not.toHaveProperty('refused')
  await server.commands.post(id, { type: 'RecordOutcomeUnknown', attemptId, cause: 'No answer' }, by)
}
const resolve = (body: { readonly live: string | false; readonly attemptId?: string }) =>
  caller.ask('resolvePost', { params: { id }, body })
const deliveryOf = async () => (await server.commands.loadPost(id)).state.delivery

describe('"It is not live"', () => {
  it('lets the post be sent again, and changes nothing when it is repeated', async () => {
    await attempt(first)
    const [attemptShown] = (await caller.callOrThrow('getPostDelivery', { params: { id } })).attempts
    expect(attemptShown?.attemptId).toBe(first)
    expect((await resolve({ live: false, attemptId: first })).status).toBe(200)
    expect((await resolve({ live: false, attemptId: first })).status).toBe(200)
    expect(await deliveryOf()).toBe('none')
  })

  it('of an earlier attempt is refused, because the current one may be live', async () => {
    await attempt(first)
    await resolve({ live: false, attemptId: first })
    await attempt(second)
    expect(await resolve({ live: false, attemptId: first })).toMatchObject({
      status: 409,
      text: 'This attempt to publish is over. Refresh to see the current one.',
    })
    expect(await deliveryOf()).toBe('unknown')
  })

  it('without an attempt is invalid', async () => {
    await attempt(first)
    expect(await resolve({ live: false })).toMatchObject({
      status: 400,
      text: 'Attempt id: Send the id of the attempt that is not live, or refresh the page',
    })
    expect(await deliveryOf()).toBe('unknown')
  })
})

describe('"It is live"', () => {
  it('needs no attempt, because the post is not sent again', async () => {
    await attempt(first)
    expect((await resolve({ live: url })).status).toBe(200)
    expect(await caller.callOrThrow('getPost', { params: { id } })).toMatchObject({ status: 'published', url })
  })

  it('of an earlier attempt is refused', async () => {
    await attempt(first)
    await resolve({ live: false, attemptId: first })
    await attempt(second)
    expect((await resolve({ live: url, attemptId: first })).status).toBe(409)
    expect(await deliveryOf()).toBe('unknown')
  })
})

/** Writing a post over HTTP: a draft, for review, or scheduled, in one call with one outcome. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiClient } from '../../http/client.ts'
import { brand, owner, testServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let caller: ApiClient
beforeAll(async () => {
  server = await testServer()
  caller = await owner(server)
})
afterAll(() => server.remove())

const unreachable = 'http://127.0.0.1:1/a.jpg'

describe('A post that is written to be scheduled', () => {
  it('has its time, or the next free slot, at once', async () => {
    const { clientId, accountId } = await brand(caller)
    const write = (scheduledFor: string | null) =>
      caller.callOrThrow('writePost', {
        params: { id: clientId },
        body: { socialAccountId: accountId, content: 'Fresh coffee', status: 'scheduled', scheduledFor },
      })
    const time = new Date(Date.parse(server.clock.now()) + 3_600_000).toISOString()
    expect(await write(time)).toMatchObject({ status: 'scheduled', scheduledFor: time })
    expect(await write(null)).toMatchObject({ status: 'scheduled', scheduledFor: expect.any(String) })
  })

  it('and whose image is unusable leaves no draft [P2.2]', async () => {
    const { clientId, accountId } = await brand(caller)
    for (const status of ['scheduled', 'pending'] as const) {
      const answer = await caller.ask('writePost', {
        params: { id: clientId },
        body: { socialAccountId: accountId, content: 'Fresh coffee', imageUrl: unreachable, status },
      })
      expect([answer.status, answer.text]).toEqual([409, expect.stringContaining("The image can't be used.")])
    }
    expect(await caller.callOrThrow('listPosts', { params: { id: clientId } })).toEqual([])
  })

  it('is written once under one key', async () => {
    const { clientId, accountId } = await brand(caller)
    const write = () =>
      caller.callOrThrow('writePost', {
        params: { id: clientId },
        body: { socialAccountId: accountId, content: 'Fresh coffee', status: 'scheduled' },
        headers: { 'Idempotency-Key': 'one-key' },
      })
    const first = await write()
    expect(await write()).toEqual(first)
  })
})

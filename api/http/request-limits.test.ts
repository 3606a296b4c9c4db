import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ApiClient } from './client.ts'
import { owner, testServer, type TestServer } from '../testing/server.ts'
import { RequestLimits } from './request-limits.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({ REQUESTS_PER_MINUTE: '300', TRUST_PROXY: 'true' })
})
afterAll(() => server.remove())

const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } })
const many = <T>(count: number, one: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => one(index)))

describe('A flood of requests', () => {
  it(
    'by one agency is refused with an explanation and a time to retry, and affects no other agency [S59]',
    { tags: 'long' },
    async () => {
      const [greedy, other] = [await owner(server), await owner(server)]
      const reply = await many(320, () => greedy.ask('listClients'))
      const refused = reply.filter(({ status }) => status !== 200)
      expect(refused.length).toBeGreaterThan(20)
      for (const { status, text, headers } of refused) {
        expect({ status, text }).toEqual({
          status: 429,
          text: expect.stringMatching(
            /^That is more than this server takes at once\. Try again in (a minute|a second|\d+ seconds)\.$/,
          ),
        })
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      }
      expect((await other.ask('listClients')).status).toBe(200)
    },
  )
  it('that change something counts five times, and refused changes are not made', { tags: 'long' }, async () => {
    const caller = await owner(server)
    const reply = await many(60, (index) =>
      caller.ask('changeAgency', { body: { timeZone: index % 2 === 0 ? 'Asia/Tokyo' : 'Europe/Berlin' } }),
    )
    const done = reply.filter(({ status }) => status === 200).length
    expect(done).toBeGreaterThan(40)
    expect(reply.filter(({ status }) => status === 429).length).toBe(60 - done)
  })
  it('for public files is limited by their size [S21]', { tags: 'long' }, async () => {
    const reply = await many(120, () =>
      new ApiClient(server.url).fetch('GET', '/api/openapi.json', undefined, from('203.0.113.11').headers),
    )
    const served = reply.filter(({ status }) => status === 200)
    const points = 1 + Math.floor((served[0]?.text.length ?? 0) / 100_000)
    expect(points).toBeGreaterThan(1)
    expect(served.length).toBeGreaterThanOrEqual(Math.floor(300 / points))
    expect(reply.filter(({ status }) => status === 429).length).toBeGreaterThan(10)
  })
  it('to the billing webhook is limited by address [S20]', async () => {
    const reply = await many(70, () =>
      new ApiClient(server.url).fetch('POST', '/api/billing/webhook', {}, from('203.0.113.13').headers),
    )
    expect(reply.filter(({ status }) => status === 503)).toHaveLength(60)
    expect(reply.filter(({ status }) => status === 429)).toHaveLength(10)
  })
  it('is refused before a body is read', async () => {
    const stranger = new ApiClient(server.url)
    await many(61, () => stranger.ask('getUser', from('203.0.113.12')))
    expect(
      await stranger.fetch('POST', '/api/auth/login', '{"not json', {
        'Content-Type': 'application/json',
        ...from('203.0.113.12').headers,
      }),
    ).toMatchObject({ status: 429 })
  })
  it('without a session is limited by address, even with forged cookies; signed-in users there are unaffected [S19]', async () => {
    const caller = await owner(server)
    const stranger = new ApiClient(server.url)
    stranger.cookie = 'socialai=Fe26.2*1*0*0*0*0*0*0'
    const reply = await many(80, () => stranger.ask('getUser', from('203.0.113.9')))
    expect(reply.filter(({ status }) => status === 429).length).toBe(20)
    expect((await caller.ask('listClients', from('203.0.113.9'))).status).toBe(200)
    expect((await new ApiClient(server.url).ask('getUser', from('203.0.113.10'))).status).toBe(401)
  })
})

describe('A request that is charged for its work', () => {
  it('may use up the points of its asker, but never of others', async () => {
    const limits = new RequestLimits(1_000)
    for (let reads = 0; reads < 2; reads++) await limits.charge(null, '203.0.113.20', limits.maxWork)
    await expect(limits.charge(null, '203.0.113.20', 1)).rejects.toMatchObject({ status: 429 })
    await limits.charge(null, '203.0.113.21', 1)
    await limits.charge('ann', '203.0.113.20', 1)
  })
})

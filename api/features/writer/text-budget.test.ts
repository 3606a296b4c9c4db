import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MovableClock } from '../../core/clock.ts'
import type { ApiClient } from '../../http/client.ts'
import { brand, owner, testServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let caller: ApiClient
let clientId: string

beforeAll(async () => {
  // The day does not end before the test moves the clock.
  server = await testServer({ TEXTS_PER_DAY: '4' }, { clock: new MovableClock('2026-11-10T09:00:00Z') })
  caller = await owner(server)
  ;({ clientId } = await brand(caller))
})
afterAll(() => server.remove())

const generate = (who: ApiClient, id: string, more: object = {}) =>
  who.ask('generateContent', { body: { clientId: id, platform: 'facebook', topic: 'Coffee', ...more } })

describe('Generated texts', () => {
  it('are limited per day, each variant counted; then refused with an explanation and a time to retry [S62]', async () => {
    expect((await generate(caller, clientId, { variants: 3 })).status).toBe(200)
    expect((await generate(caller, clientId)).status).toBe(200)
    const { status, text, headers } = await generate(caller, clientId)
    expect({ status, text }).toEqual({
      status: 429,
      text: expect.stringMatching(
        /^Your agency has had 4 texts written since midnight UTC, which is as many as this server writes a day\. Nothing you typed is lost\. You can have the next one in \d+ (hours?|minutes?)\.$/,
      ),
    })
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(86_400)
  })

  it('of another agency are counted separately, and posts can still be written', async () => {
    const other = await owner(server)
    expect((await generate(other, (await brand(other)).clientId)).status).toBe(200)
    expect((await caller.ask('addClient', { body: { name: 'Another' } })).status).toBe(201)
  })

  it('are available again the next day', async () => {
    const { headers } = await generate(caller, clientId)
    server.clock.advance(Number(headers.get('retry-after')) * 1_000)
    expect((await generate(caller, clientId)).status).toBe(200)
  })
})

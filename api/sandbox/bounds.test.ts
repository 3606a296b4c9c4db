/** How much the sandbox reads for a client without a token, and which requests count toward the limits. */
import { once } from 'node:events'
import { request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { brand, owner, testServer, type TestServer } from '../testing/server.ts'
import { ownConnectors } from './own-connectors.ts'

const megabyte = 1024 * 1024
let server: TestServer
beforeAll(async () => {
  server = await testServer({ REQUESTS_PER_MINUTE: '1000' })
})
afterAll(() => server.remove())

/** Sends the headers and the first part of a body; returns the response that comes before the rest is sent. */
async function begin(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  firstPart = Buffer.alloc(1000),
) {
  const sending = request(`${server.localUrl}/sandbox${path}`, {
    method,
    headers: { 'Content-Length': String(20 * megabyte), ...headers },
  })
  sending.on('error', () => undefined)
  sending.write(firstPart)
  const [answer] = await once(sending, 'response')
  sending.destroy()
  return answer.statusCode as number
}

describe('A request body in the sandbox', () => {
  it.each([
    ['PUT', '/linkedin/dms-uploads/C4E10AQ00', 'application/octet-stream'],
    ['POST', '/linkedin/rest/images', 'application/json'],
    ['POST', '/linkedin/rest/posts', 'application/json'],
    ['POST', '/x/2/media/upload/1/append', 'multipart/form-data; boundary=x'],
    ['POST', '/x/2/media/upload/initialize', 'application/json'],
    ['POST', '/x/2/tweets', 'application/json'],
    ['POST', '/facebook/v25.0/1/photos', 'multipart/form-data; boundary=x'],
  ])('%s %s without a token is refused before it is read [S31]', async (method, path, type) => {
    const linkedin = { 'LinkedIn-Version': '202607', 'X-Restli-Protocol-Version': '2.0.0' }
    for (const key of [undefined, 'made-up']) {
      const status = await begin(method, path, {
        'Content-Type': type,
        ...linkedin,
        ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
      })
      expect([400, 401]).toContain(status)
    }
  })
  it.each([
    ['/facebook/v25.0/1/feed', 256],
    ['/instagram/v25.0/1/media', 256],
    ['/facebook/v25.0/oauth/access_token', 16],
    ['/instagram/oauth/access_token', 16],
    ['/x/2/oauth2/token', 16],
    ['/linkedin/oauth/v2/accessToken', 16],
    ['/facebook/v25.0/dialog/oauth', 16],
  ])('POST %s without a token accepts a form of at most %i kB', async (path, kilobytes) => {
    const type = { 'Content-Type': 'application/x-www-form-urlencoded' }
    expect(await begin('POST', path, { ...type, 'Content-Length': String(kilobytes * 1024 + 1) })).toBe(413)
    const body = `a=${'b'.repeat(kilobytes * 1024 - 2)}`
    const response = await fetch(`${server.localUrl}/sandbox${path}`, {
      method: 'POST',
      headers: type,
      body,
      redirect: 'manual',
    })
    expect(response.status).not.toBe(413)
  })
  it('is not decompressed', async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Encoding': 'gzip' }
    const body = new Uint8Array(gzipSync(Buffer.alloc(20 * megabyte, 'a')))
    expect(
      (
        await fetch(`${server.localUrl}/sandbox/x/2/oauth2/token`, {
          method: 'POST',
          headers,
          body: body.subarray(0, 10_000),
        })
      ).status,
    ).toBe(415)
  })
})

describe('Requests to the sandbox', () => {
  it('count per address, while our own connectors continue to publish', { tags: 'long' }, async () => {
    const caller = await owner(server)
    const { clientId, accountId } = await brand(caller)
    const { id } = await caller.callOrThrow('writePost', {
      params: { id: clientId },
      body: { socialAccountId: accountId, content: 'Fresh' },
    })
    const scheduledFor = new Date(Date.parse(server.clock.now()) + 3_600_000).toISOString()
    await caller.callOrThrow('changePost', { params: { id }, body: { status: 'scheduled', scheduledFor } })
    const statuses: number[] = []
    for (let asked = 0; asked < 250; asked++)
      statuses.push((await fetch(`${server.localUrl}/sandbox/style.css`)).status)
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(20)
    server.clock.advance(3_600_000)
    await expect.poll(async () => (await caller.callOrThrow('getPost', { params: { id } })).status).toBe('published')
  })
  it('are our own only with the complete secret', () => {
    const { headers, isOwn } = ownConnectors()
    const [[name = '', secret = ''] = []] = Object.entries(headers)
    const asking = (value: string | undefined) =>
      ({ get: (asked: string) => (asked === name ? value : undefined) }) as Parameters<typeof isOwn>[0]
    expect(isOwn(asking(secret))).toBe(true)
    for (const value of [undefined, '', secret.slice(1), `${secret}AAAA`, Object.values(ownConnectors().headers)[0]])
      expect(isOwn(asking(value))).toBe(false)
  })
})

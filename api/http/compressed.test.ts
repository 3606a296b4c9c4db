/**
 * Compressed answers over real HTTP, asked for as browsers and others ask.
 *
 * @module-tag long
 */
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { png } from '../features/media/test/helpers.ts'
import { brand, owner, testServer, type TestServer } from '../testing/server.ts'
import type { ApiClient } from './client.ts'
import { compressing, compressorBounds } from './compressors.ts'

const chromium = 'gzip, deflate, br, zstd'
/** One page. */
const posts = 200
let server: TestServer
let caller: ApiClient
let mine: { readonly clientId: string; readonly accountId: string }
let calendar: string

beforeAll(async () => {
  server = await testServer()
  caller = await owner(server)
  mine = await brand(caller)
  const month = `${Number(server.clock.now().slice(0, 4)) + 1}-07`
  calendar = `/api/calendar?month=${month}`
  const days = Array.from({ length: posts }, (_, at) => String((at % 28) + 1).padStart(2, '0'))
  for (const [at, day] of days.entries())
    await caller.callOrThrow('writePost', {
      params: { id: mine.clientId },
      body: {
        socialAccountId: mine.accountId,
        content: `Number ${at}: ${'fresh coffee '.repeat(6)}`,
        status: 'scheduled',
        scheduledFor: `${month}-${day}T12:00:00.000Z`,
      },
    })
})
afterAll(() => server.remove())

interface Received {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly bytes: Buffer
}

/** As it came over the wire: `fetch` would decompress. */
async function get(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Received> {
  const asked = request(server.url + path, { method, headers: { Cookie: caller.cookie, ...headers } }).end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  const parts: Buffer[] = []
  for await (const part of response) parts.push(part as Buffer)
  return { status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(parts) }
}
const accepting = (accepted: string, path = calendar, method = 'GET') =>
  get(path, { 'Accept-Encoding': accepted }, method)
const headed = ({ headers }: Received) => [
  headers['content-encoding'],
  headers['content-length'] !== undefined,
  headers.vary,
  headers['cache-control'],
]
const compressed = (encoding: string) => [encoding, false, 'Accept-Encoding', 'no-store']
const uncompressed = [undefined, true, 'Accept-Encoding', 'no-store']

describe('A long JSON answer', () => {
  it('comes in Brotli to a browser, as the same text', async () => {
    const [plain, small] = [await get(calendar), await accepting(chromium)]
    expect([headed(plain), headed(small)]).toEqual([uncompressed, compressed('br')])
    expect(JSON.parse(plain.bytes.toString())).toHaveLength(posts)
    expect(brotliDecompressSync(small.bytes).equals(plain.bytes)).toBe(true)
    expect(small.bytes.length).toBeLessThan(plain.bytes.length / 5)
  })
  it.each(['gzip, br;q=0', 'gzip', 'gzip;q=0.5, deflate'])('comes in gzip where %s is accepted', async (accepted) => {
    const small = await accepting(accepted)
    expect(headed(small)).toEqual(compressed('gzip'))
    expect(JSON.parse(gunzipSync(small.bytes).toString())).toHaveLength(posts)
  })
  it.each(['identity', 'gzip;q=0, br;q=0', 'deflate', '*;q=0', ''])(
    'comes as it is where %j is accepted',
    async (is) => {
      const plain = await accepting(is)
      expect(headed(plain)).toEqual(uncompressed)
      expect(JSON.parse(plain.bytes.toString())).toHaveLength(posts)
    },
  )
  it('comes as it is to another site, whose texts its length could be compared with', async () => {
    const told = await get(calendar, { 'Accept-Encoding': chromium, 'Sec-Fetch-Site': 'cross-site' })
    expect(headed(told)).toEqual(uncompressed)
  })
  it('has the same headers when only they are asked for', async () => {
    const [plain, small] = [await get(calendar, {}, 'HEAD'), await accepting(chromium, calendar, 'HEAD')]
    expect([headed(plain), headed(small)]).toEqual([uncompressed, compressed('br')])
    expect([plain.bytes.length, small.bytes.length]).toEqual([0, 0])
  })
  it("is the API's own document, too", async () => {
    const { headers, bytes } = await accepting(chromium, '/api/openapi.json')
    expect(headers['content-encoding']).toBe('br')
    expect(JSON.parse(brotliDecompressSync(bytes).toString())).toMatchObject({ openapi: '3.1.0' })
  })
})

describe('An export', () => {
  it('is compressed line by line', async () => {
    const path = `/api/audit/export?client=${mine.clientId}`
    const [plain, small] = [await get(path), await accepting(chromium, path)]
    expect([plain.status, small.headers['content-encoding']]).toEqual([200, 'br'])
    expect(brotliDecompressSync(small.bytes).toString().split('\n').length).toBeGreaterThan(posts)
    expect(small.bytes.length).toBeLessThan(plain.bytes.length / 2)
  })
})

describe('Left as they are', () => {
  it('are short answers, whole in one piece', async () => {
    const { headers, bytes } = await accepting(chromium, '/api/agency')
    expect(headers).not.toHaveProperty('content-encoding')
    expect(headers).not.toHaveProperty('vary')
    expect([Number(headers['content-length']), bytes.length < 1_024]).toEqual([bytes.length, true])
  })
  it('is an image', async () => {
    const image = await caller.fetch('POST', '/api/media', new Blob([new Uint8Array(png())], { type: 'image/png' }))
    const { url } = JSON.parse(image.text) as { url: string }
    const { status, headers } = await accepting(chromium, new URL(url, server.url).pathname)
    expect([status, headers['content-encoding'], headers['content-type']]).toEqual([200, undefined, 'image/png'])
  })
  it('are live updates', async () => {
    const asked = request(`${server.url}/api/news`, {
      headers: { Cookie: caller.cookie, 'Accept-Encoding': chromium },
    }).end()
    const [{ headers, statusCode }] = (await once(asked, 'response')) as [IncomingMessage]
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8'])
    expect(headers).not.toHaveProperty('content-encoding')
    asked.on('error', () => undefined).destroy()
  })
})

describe('A compressor', () => {
  /** Asks, and reads nothing. */
  async function stalled() {
    const socket = connect(Number(new URL(server.localUrl).port), '127.0.0.1')
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    const lines = [`GET ${calendar} HTTP/1.1`, 'Host: localhost', `Cookie: ${caller.cookie}`, `Accept-Encoding: br`]
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    return socket
  }
  it('is given back when a download is aborted', async () => {
    for (let round = 0; round < 5; round++) {
      const sockets = await Promise.all(Array.from({ length: 2 * compressorBounds.maxCount }, stalled))
      await Promise.race(sockets.map((socket) => once(socket, 'readable')))
      for (const socket of sockets) socket.resetAndDestroy()
    }
    await expect.poll(compressing).toBe(0)
    expect((await accepting(chromium)).headers['content-encoding']).toBe('br')
  })
})

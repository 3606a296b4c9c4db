/** Downloads of built files over real HTTP: aborted, stalled, in ranges, and while the files change on disk. */
import { once } from 'node:events'
import { mkdir, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { removeFolder, temporaryFolder } from '../../domain/test/folder.ts'
import { testServer, type TestServer } from '../testing/server.ts'

const size = 8 * 1024 * 1024
const asset = '/assets/big-abc.js'
let server: TestServer
let webRoot: string

beforeAll(async () => {
  webRoot = await temporaryFolder('web')
  await mkdir(join(webRoot, 'assets'))
  await writeFile(join(webRoot, 'index.html'), '<!doctype html><title>SocialAI</title>')
  await writeFile(join(webRoot, asset), Buffer.alloc(size, 'abcdefghij'))
  await writeFile(join(webRoot, 'assets', 'small.js'), '0123456789')
  await writeFile(join(webRoot, 'assets', 'small.js.gz'), 'compressed')
  await writeFile(join(webRoot, 'assets', 'small.js.br'), 'smaller')
  server = await testServer({}, { webRoot })
})
afterAll(async () => {
  await server.remove()
  await removeFolder(webRoot)
})

const get = (path: string, headers: Readonly<Record<string, string>> = {}) => fetch(server.url + path, { headers })
const openFiles = async () => (await readdir('/proc/self/fd')).length

/** Reads the first bytes of an answer, then drops the connection. */
async function abort(path: string): Promise<void> {
  const socket = connect(Number(new URL(server.localUrl).port), '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  await once(socket, 'data')
  socket.resetAndDestroy()
  await once(socket, 'close')
}

describe('A download of a built file', () => {
  it.skipIf(process.platform !== 'linux')(
    'aborted 300 times leaves no file descriptor open [S22]',
    { tags: 'long' },
    async () => {
      await abort(asset)
      const before = await openFiles()
      for (let round = 0; round < 10; round++) await Promise.all(Array.from({ length: 30 }, () => abort(asset)))
      await expect.poll(openFiles).toBeLessThanOrEqual(before + 10)
      expect((await get(asset)).status).toBe(200)
    },
  )
  it('is complete even when the file is truncated and removed on disk', async () => {
    const before = await get(asset)
    await truncate(join(webRoot, asset), 10)
    expect((await before.arrayBuffer()).byteLength).toBe(size)
    await rm(join(webRoot, asset))
    expect((await (await get(asset)).arrayBuffer()).byteLength).toBe(size)
  })
})

describe('A range of a built file', () => {
  it.each([
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=-2', 206, '89', 'bytes 8-9/10'],
    ['bytes=4-400', 206, '456789', 'bytes 4-9/10'],
    ['bytes=10-5', 416, '', 'bytes */10'],
    ['bytes=10-', 416, '', 'bytes */10'],
    ['bytes=0-1,5-6', 200, '0123456789', null],
    ['bytes=nonsense', 200, '0123456789', null],
    ['lines=1-2', 200, '0123456789', null],
  ])('%s is answered with %i', async (range, status, text, contentRange) => {
    const response = await get('/assets/small.js', { Range: range, 'Accept-Encoding': 'identity' })
    expect({
      status: response.status,
      text: await response.text(),
      range: response.headers.get('content-range'),
    }).toEqual({ status, text, range: contentRange })
  })
  it('of an earlier version (If-Range) is the whole file', async () => {
    const response = await get('/assets/small.js', {
      Range: 'bytes=2-4',
      'If-Range': '"other"',
      'Accept-Encoding': 'identity',
    })
    expect({ status: response.status, text: await response.text() }).toEqual({ status: 200, text: '0123456789' })
  })
})

it('HEAD returns the size without a body', async () => {
  const response = await fetch(`${server.url}/assets/small.js`, {
    method: 'HEAD',
    headers: { 'Accept-Encoding': 'identity' },
  })
  expect(response.headers.get('content-length')).toBe('10')
  expect(await response.text()).toBe('')
})
it('a compressed variant is sent to browsers that accept it, and has no address of its own', async () => {
  const response = await fetch(`${server.url}/assets/small.js`, {
    method: 'HEAD',
    headers: { 'Accept-Encoding': 'gzip' },
  })
  expect(response.headers.get('content-encoding')).toBe('gzip')
  expect((await get('/assets/small.js.gz')).status).toBe(404)
})
it('Chromium is sent the variant of Brotli', async () => {
  const response = await fetch(`${server.url}/assets/small.js`, {
    method: 'HEAD',
    headers: { 'Accept-Encoding': 'gzip, deflate, br, zstd' },
  })
  expect(response.headers.get('content-encoding')).toBe('br')
})
it('a known version of a file is answered with 304', async () => {
  const etag = (await get('/assets/small.js')).headers.get('etag') ?? ''
  expect((await get('/assets/small.js', { 'If-None-Match': etag, 'Cache-Control': 'max-age=0' })).status).toBe(304)
})

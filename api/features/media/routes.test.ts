import { readdir } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ApiClient } from '../../http/client.ts'
import type { UploadedImage } from '../../contract/index.ts'
import { brand, owner, testServer, type TestServer } from '../../testing/server.ts'
import { gif, jpeg, png, webp } from './test/helpers.ts'

let server: TestServer
let caller: ApiClient
beforeAll(async () => {
  server = await testServer()
  caller = await owner(server)
})
afterAll(() => server.remove())

const blob = (bytes: Buffer, type: string) => new Blob([new Uint8Array(bytes)], { type })
const upload = (bytes: Buffer, type = 'image/png', headers: Readonly<Record<string, string>> = {}) =>
  caller.ask('uploadImage', { body: blob(bytes, type), headers })
const uploaded = async (bytes: Buffer) => JSON.parse((await upload(bytes)).text) as UploadedImage

describe('an upload', () => {
  it.each([
    ['image/jpeg', jpeg(1080, 1350)],
    ['image/png', png(1080, 1350)],
    ['image/gif', gif(1080, 1350)],
    ['image/webp', webp('VP8X', 1080, 1350)],
  ])('of %s is available at its address', async (type, bytes) => {
    const { status, text } = await upload(bytes, type)
    expect(status).toBe(201)
    const image = JSON.parse(text) as UploadedImage
    expect(image).toMatchObject({
      type,
      size: bytes.length,
      width: 1080,
      height: 1350,
      url: `${server.url}/media/${image.hash}`,
    })
    const response = await fetch(image.url)
    expect(response.headers.get('content-type')).toBe(type)
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes)
  })

  it('has the type of its bytes, not of the header', async () => {
    const { text } = await upload(gif(7, 7), 'image/jpeg')
    expect(JSON.parse(text)).toMatchObject({ type: 'image/gif' })
  })

  it('survives a restart', async () => {
    const { hash } = await uploaded(png(33, 44))
    server = await server.restart()
    const { cookie } = caller
    caller = new ApiClient(server.url)
    caller.cookie = cookie
    expect((await fetch(`${server.url}/media/${hash}`)).status).toBe(200)
  })

  it.each([
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml', 415, /JPEG, PNG, GIF or WebP/],
    ['HTML in disguise', Buffer.from('<!doctype html>'), 'image/png', 415, /JPEG, PNG, GIF or WebP/],
    ['half an image', png().subarray(0, 60), 'image/png', 415, /JPEG, PNG, GIF or WebP/],
    ['another type', png(), 'text/plain', 415, /as image\/\*/],
    ['a form', png(), 'multipart/form-data; boundary=x', 415, /as image\/\*/],
    ['nothing', Buffer.alloc(0), 'image/png', 415, /as image\/\*/],
    [
      '50,000 by 50,000 pixels',
      png(50_000, 50_000, 128, 1),
      'image/png',
      415,
      /^The image is too large: 50,000 by 50,000 pixels\. Use one with at most 40 megapixels\.$/,
    ],
    ['too much', Buffer.alloc(15 * 1024 * 1024 + 1), 'image/png', 413, /15 MB/],
  ])('of %s is refused with an explanation [S51]', async (_, bytes, type, status, sentence) => {
    const answer = await upload(bytes, type)
    expect(answer.status).toBe(status)
    expect(answer.text).toMatch(sentence)
    expect(answer.headers.get('content-type')).toContain('text/plain')
  })

  it('without a Content-Length has the same limit', async () => {
    const headers = { Cookie: caller.cookie, 'Content-Type': 'image/png' }
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sending = request(`${server.url}/api/media`, { method: 'POST', headers }, (response) =>
        resolve(response.resume().statusCode),
      )
      sending.on('error', reject)
      for (let megabyte = 0; megabyte < 20; megabyte++) sending.write(Buffer.alloc(1024 * 1024))
      sending.end()
    })
    expect(status).toBe(413)
  })

  it.each([{ 'Sec-Fetch-Site': 'cross-site' }, { 'Sec-Fetch-Site': 'same-site' }, { Origin: 'https://evil.example' }])(
    'from another site is refused: %j',
    async (headers) => {
      expect(await upload(png(), 'image/png', headers)).toMatchObject({ status: 403 })
    },
  )

  it('does not let other routes accept anything but JSON', async () => {
    const { status } = await caller.ask('addClient', { body: blob(png(), 'image/png') })
    expect(status).toBe(415)
  })

  it('is documented in the API description', async () => {
    const { text } = await caller.get('/api/openapi.json')
    const document = JSON.parse(text) as { paths: Record<string, Record<string, { requestBody: { content: object } }>> }
    expect(Object.keys(document.paths['/api/media']?.['post']?.requestBody.content ?? {})).toEqual(['image/*'])
  })
})

describe('an image at its address', () => {
  it('is cacheable forever, and restricted to being an image', async () => {
    const { url, hash } = await uploaded(png())
    const { status, headers } = await fetch(url)
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      etag: `"${hash}"`,
    })
    expect(headers.get('set-cookie')).toBeNull()
  })

  it('is not sent again to a client that has it', async () => {
    const { url, hash } = await uploaded(png())
    const response = await fetch(url, { headers: { 'If-None-Match': `"${hash}"` } })
    expect({ status: response.status, body: await response.text() }).toEqual({ status: 304, body: '' })
  })

  it.each([
    ['bytes=0-3', 206, 4],
    ['bytes=5-', 206, null],
    ['bytes=10-5', 416, 0],
    ['bytes=99999999-', 416, 0],
  ])('is sent in part for %s: %i', async (range, status, length) => {
    const bytes = png(20, 20)
    const { url } = await uploaded(bytes)
    const response = await fetch(url, { headers: { Range: range } })
    expect(response.status).toBe(status)
    expect((await response.arrayBuffer()).byteLength).toBe(length ?? bytes.length - 5)
  })

  it('can be requested without its bytes', async () => {
    const { url, size } = await uploaded(png())
    const response = await fetch(url, { method: 'HEAD' })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-length')).toBe(String(size))
    expect(await response.text()).toBe('')
  })

  it.each(['0'.repeat(64), 'x', `${'a'.repeat(64)}.png`, 'A'.repeat(64), '..%2f..%2frecords.db', '%00'])(
    'is a 404 for an unknown hash: %s',
    async (hash) => {
      const response = await fetch(`${server.url}/media/${hash}`)
      expect({ status: response.status, text: await response.text() }).toEqual({
        status: 404,
        text: "This image doesn't exist.",
      })
    },
  )
})

describe('unfinished uploads', () => {
  it('are limited to four per agency; the fifth is refused with an explanation, and other agencies may upload [S50]', async () => {
    const [slow, other] = [await owner(server), await owner(server)]
    const headers = { Cookie: slow.cookie, 'Content-Type': 'image/png', 'Content-Length': '1000000' }
    const open = Array.from({ length: 4 }, () => {
      const sending = request(`${server.url}/api/media`, { method: 'POST', headers })
      sending.on('error', () => undefined)
      sending.write(Buffer.alloc(1000))
      return sending
    })
    const status = async (by: ApiClient) => (await by.ask('uploadImage', { body: blob(png(), 'image/png') })).status
    await expect.poll(() => readdir(join(server.dataDir, 'uploads'))).toHaveLength(4)
    await expect.poll(() => status(slow)).toBe(429)
    expect(await status(other)).toBe(201)
    for (const sending of open) sending.destroy()
    await expect.poll(() => status(slow)).toBe(201)
    await expect.poll(() => readdir(join(server.dataDir, 'uploads'))).toEqual([])
  })
})

describe('an agency at its image quota', () => {
  it('keeps its images and gets no more; other agencies do', { tags: 'long' }, async () => {
    const small = await testServer({ IMAGES_MOST_MB: '1' })
    try {
      const [own, other] = [await owner(small), await owner(small)]
      const large = (seed: number) =>
        Buffer.concat([jpeg(1080, 1080, seed).subarray(0, -2), Buffer.alloc(600_000, seed), Buffer.from([0xff, 0xd9])])
      const send = (by: ApiClient, seed: number) => by.ask('uploadImage', { body: blob(large(seed), 'image/jpeg') })
      const first = await send(own, 1)
      expect(first.status).toBe(201)
      const sentence =
        'Your agency has used its 1 MB for images, or its 20,000 images. Ask the operator of this server for more.'
      expect(await send(own, 2)).toMatchObject({ status: 409, text: sentence })
      expect((await send(other, 2)).status).toBe(201)
      // The same image is counted once.
      expect((await own.ask('uploadImage', { body: blob(jpeg(1080, 1080), 'image/jpeg') })).status).toBe(201)
      const { clientId, accountId } = await brand(own, 'instagram')
      const { url } = JSON.parse(first.text) as UploadedImage
      const body = { socialAccountId: accountId, content: 'Fresh', imageUrl: url, status: 'pending' } as const
      expect((await own.ask('writePost', { params: { id: clientId }, body })).status).toBe(201)
    } finally {
      await small.remove()
    }
  })
})

describe('a server with a new address', () => {
  it('shows and publishes the images that were uploaded to the old one', { tags: 'long' }, async () => {
    const first = await testServer()
    const own = await owner(first)
    const { clientId, accountId } = await brand(own, 'instagram')
    const { text } = await own.ask('uploadImage', { body: blob(jpeg(1080, 1080), 'image/jpeg') })
    const { url, hash } = JSON.parse(text) as UploadedImage
    const body = { socialAccountId: accountId, content: 'Fresh', imageUrl: url }
    const { id } = await own.callOrThrow('writePost', { params: { id: clientId }, body })
    // Another port: nothing answers at the old address.
    const second = await first.restart()
    expect(second.url).not.toBe(first.url)
    const again = new ApiClient(second.url)
    again.cookie = own.cookie
    expect(await again.callOrThrow('getPost', { params: { id } })).toMatchObject({
      imageUrl: `${second.url}/media/${hash}`,
    })
    expect(await again.callOrThrow('listPosts', { params: { id: clientId } })).toMatchObject([
      { imageUrl: `${second.url}/media/${hash}` },
    ])
    expect(await again.callOrThrow('changePost', { params: { id }, body: { status: 'pending' } })).toMatchObject({
      status: 'pending',
      image: { hash },
    })
    await second.remove()
  })
})

describe('A conversion to JPEG', () => {
  const convert = (hash: string) => caller.ask('convertImage', { params: { hash } })

  it('stores the JPEG at an address of its own, and leaves the original [P11.13]', async () => {
    const original = await uploaded(
      await sharp({ create: { width: 30, height: 20, channels: 3, background: '#336699' } })
        .png()
        .toBuffer(),
    )
    const { status, text } = await convert(original.hash)
    expect(status).toBe(200)
    const image = JSON.parse(text) as UploadedImage
    expect(image).toMatchObject({ type: 'image/jpeg', width: 30, height: 20 })
    expect((await fetch(image.url)).headers.get('content-type')).toBe('image/jpeg')
    expect((await fetch(original.url)).status).toBe(200)
    expect(JSON.parse((await convert(image.hash)).text)).toEqual(image)
  })
  it('beyond four of an agency at once is refused for the moment', { tags: 'long' }, async () => {
    const large = { width: 5_000, height: 4_000, channels: 3, background: '#336699' } as const
    const { hash } = await uploaded(await sharp({ create: large }).png().toBuffer())
    const statuses = (await Promise.all(Array.from({ length: 12 }, () => convert(hash)))).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(4)
    expect(new Set(statuses)).toEqual(new Set([200, 503]))
    expect((await convert(hash)).status).toBe(200)
  })
  it.each([
    ['an image that is not here', 'f'.repeat(64), 404, /This image/],
    ['no hash', 'x', 404, /./],
  ])('of %s is refused', async (_, hash, expected, sentence) => {
    const { status, text } = await convert(hash)
    expect(status).toBe(expected)
    expect(text).toMatch(sentence)
  })
  it('of a GIF or of a damaged image is refused with an explanation', async () => {
    const ofGif = await convert((await uploaded(gif(7, 7))).hash)
    expect([ofGif.status, ofGif.text]).toEqual([409, 'A GIF cannot be converted. Use a JPEG, PNG or WebP.'])
    const whole = await sharp({ create: { width: 31, height: 41, channels: 3, background: '#336699' } })
      .png()
      .toBuffer()
    const damaged = Buffer.from(whole).fill(0, whole.indexOf('IDAT') + 4, whole.indexOf('IEND') - 8)
    const ofDamaged = await convert((await uploaded(damaged)).hash)
    expect([ofDamaged.status, ofDamaged.text]).toEqual([409, 'This image could not be converted. Use a JPEG.'])
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { removeFolder, temporaryFolder } from '../../../domain/test/folder.ts'
import { openMediaFolder } from './folder.ts'
import type { Fetched } from './guarded-fetch.ts'
import { createImages, presentUrlOf } from './images.ts'
import type { MediaStore } from './port.ts'
import { jpeg, png } from './test/helpers.ts'

let folder: string
let store: MediaStore
beforeAll(async () => {
  folder = await temporaryFolder('socialai-images')
  store = await openMediaFolder(folder)
})
afterAll(() => removeFolder(folder))

const publicUrl = 'https://social.example'

/** Images with a fake web; an unknown address does not answer until `release`. */
function imagesOf(web: Readonly<Record<string, Buffer | string>> = {}) {
  const asked: string[] = []
  const waiting: (() => void)[] = []
  const fetch = async (url: string): Promise<Fetched> => {
    asked.push(url)
    const found = web[url]
    if (found === undefined) await new Promise<void>((resolve) => waiting.push(resolve))
    if (typeof found === 'string') return { kind: 'refused', reason: 'unreachable', sentence: found }
    return { kind: 'fetched', bytes: found ?? png() }
  }
  const images = createImages({ store, publicUrl, fetch })
  return { images, asked, release: () => waiting.splice(0).forEach((go) => go()) }
}

describe('keeping an image', () => {
  it('stores the image behind an address', async () => {
    const { images } = imagesOf({ 'https://a.example/x': jpeg(1080, 1350) })
    const kept = await images.keep('https://a.example/x')
    expect(kept).toMatchObject({ kind: 'stored', image: { type: 'image/jpeg', width: 1080, height: 1350 } })
    const hash = kept.kind === 'stored' ? kept.image.hash : ''
    expect(Buffer.from((await images.read(hash)) ?? [])).toEqual(jpeg(1080, 1350))
    expect(images.publicUrlOf(hash)).toBe(`https://social.example/media/${hash}`)
  })

  it('of our own is a lookup, not a fetch', async () => {
    const { images, asked } = imagesOf()
    const { hash } = await store.put(png(3, 3))
    expect(await images.keep(images.publicUrlOf(hash))).toEqual({ kind: 'stored', image: await store.describe(hash) })
    expect(await images.keep(images.publicUrlOf('0'.repeat(64)))).toEqual({
      kind: 'refused',
      sentence: 'There is no image at this address any more. Upload it again.',
    })
    expect(asked).toEqual([])
  })

  it('of our own is found by its hash, under any address that this server had', async () => {
    const { images, asked } = imagesOf({ [`http://localhost:3000/media/${'0'.repeat(64)}`]: 'not there' })
    const { hash } = await store.put(png(3, 3))
    const before = `http://localhost:3000/media/${hash}`
    expect(await images.keep(before)).toEqual({ kind: 'stored', image: await store.describe(hash) })
    expect(asked).toEqual([])
    expect(await presentUrlOf(images, before)).toBe(images.publicUrlOf(hash))
    const elsewhere = `http://localhost:3000/media/${'0'.repeat(64)}`
    expect(await presentUrlOf(images, elsewhere)).toBe(elsewhere)
    expect(await images.keep(elsewhere)).toEqual({ kind: 'refused', sentence: 'not there' })
    expect(asked).toEqual([elsewhere])
  })

  it.each([
    ['an HTML page', Buffer.from('<!doctype html><img src="a.png">')],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a truncated image', png().subarray(0, 70)],
  ])('is refused for %s, under any file name', async (_, bytes) => {
    const { images } = imagesOf({ 'https://a.example/photo.png': bytes })
    const sentence = 'Unsupported file. Use JPEG, PNG, GIF or WebP.'
    expect(await images.keep('https://a.example/photo.png')).toEqual({ kind: 'refused', sentence })
    expect(await images.take(bytes)).toEqual({ kind: 'refused', sentence })
  })

  it("passes on the reason why an address can't be used", async () => {
    const { images } = imagesOf({ 'https://a.example/x': "The image's address answered 404." })
    expect(await images.keep('https://a.example/x')).toEqual({
      kind: 'refused',
      sentence: "The image's address answered 404.",
    })
  })

  it('fetches once for simultaneous requests, and again later', async () => {
    const { images, asked } = imagesOf({ 'https://a.example/x': png() })
    const kept = await Promise.all(Array.from({ length: 20 }, () => images.keep('https://a.example/x')))
    expect(new Set(kept.map(({ kind }) => kind))).toEqual(new Set(['stored']))
    expect(asked).toHaveLength(1)
    await images.keep('https://a.example/x')
    expect(asked).toHaveLength(2)
  })
})

describe('many images at once', () => {
  it('are fetched eight at a time, with the others queued; a longer queue is refused', async () => {
    const { images, asked, release } = imagesOf()
    const all = Array.from({ length: 230 }, (_, n) => images.keep(`https://slow.example/${n}`))
    const outcomes = Promise.all(all)
    await Promise.resolve()
    expect(asked).toHaveLength(8)
    const isDone = () =>
      Promise.race([outcomes.then(() => true), new Promise((resolve) => setImmediate(resolve, false))])
    while (!(await isDone())) release()
    const kinds = (await outcomes).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'stored')).toHaveLength(208)
    expect((await outcomes).at(-1)).toEqual({
      kind: 'refused',
      sentence: 'Too many images are being fetched just now. Please try again in a minute.',
    })
  })
})

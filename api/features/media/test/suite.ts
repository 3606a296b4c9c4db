/** The contract of every image store. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NotAnImage, type MediaStore } from '../port.ts'
import { gif, jpeg, png, webp } from './helpers.ts'

export interface OpenedMedia {
  readonly store: MediaStore
  /** Closes the store and opens it again with the same images. */
  readonly reopen: () => Promise<MediaStore>
  readonly cleanup: () => Promise<void>
}

const unknownId = 'ab'.repeat(32)

export function mediaContract(name: string, open: () => Promise<OpenedMedia>): void {
  describe(`${name} as an image store`, () => {
    let opened: OpenedMedia
    let store: MediaStore
    beforeAll(async () => {
      opened = await open()
      store = opened.store
    })
    afterAll(() => opened.cleanup())

    it.each([
      ['image/jpeg', jpeg()],
      ['image/png', png()],
      ['image/gif', gif()],
      ['image/webp', webp('VP8 ')],
    ])('stores %s unchanged', async (type, bytes) => {
      const image = await store.put(bytes)
      expect(image).toEqual({ hash: image.hash, type, size: bytes.length, width: 40, height: 30 })
      expect(await store.describe(image.hash)).toEqual(image)
      expect(Buffer.from((await store.read(image.hash)) ?? [])).toEqual(bytes)
    })

    it('names an image by the SHA-256 of its bytes', async () => {
      const { hash } = await store.put(Buffer.from(onePixel, 'base64'))
      expect(hash).toBe('ef1955ae757c8b966c83248350331bd3a30f658ced11f387f8ebf05ab3368629')
    })

    it('stores the same bytes once, even for fifty simultaneous writes', async () => {
      const hashes = await Promise.all(Array.from({ length: 50 }, async () => (await store.put(png(64, 64, 7))).hash))
      expect(new Set(hashes).size).toBe(1)
      expect(Buffer.from((await store.read(hashes[0] ?? '')) ?? [])).toEqual(png(64, 64, 7))
    })

    it('refuses anything but a whole image', async () => {
      for (const bytes of [Buffer.from('<svg/>'), png().subarray(0, 60), Buffer.alloc(0)]) {
        await expect(store.put(bytes)).rejects.toBeInstanceOf(NotAnImage)
      }
    })

    it('streams images whole and in ranges, and large ones across all their parts', async () => {
      const large = Buffer.concat([
        jpeg(40, 30, 3).subarray(0, -2),
        Buffer.alloc(700_000, 'slice'),
        Buffer.from([0xff, 0xd9]),
      ])
      const { hash, size } = await store.put(large)
      for (const [start, end] of [
        [0, size - 1],
        [0, 0],
        [size - 1, size - 1],
        [262_143, 262_144],
        [100, 600_000],
      ] as const) {
        const read = await store.stream(hash, { start, end })
        expect(Buffer.concat((await read?.toArray()) ?? []).equals(large.subarray(start, end + 1))).toBe(true)
      }
    })

    it('returns null for an unknown or malformed hash', async () => {
      for (const hash of [unknownId, '', '..', '../events.db', unknownId.toUpperCase(), `${unknownId}\0`]) {
        expect(await store.describe(hash)).toBeNull()
        expect(await store.read(hash)).toBeNull()
        expect(await store.stream(hash, { start: 0, end: 0 })).toBeNull()
      }
    })

    it('keeps images across a restart', async () => {
      const before = await store.put(png(10, 20))
      store = await opened.reopen()
      expect(await store.describe(before.hash)).toEqual(before)
      expect(Buffer.from((await store.read(before.hash)) ?? [])).toEqual(png(10, 20))
    })
  })
}

const onePixel = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { factsOf } from './image.ts'
import { createJpegConverter, NotConvertible } from './to-jpeg.ts'

const converter = createJpegConverter()
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

async function convert(bytes: Uint8Array): Promise<Uint8Array> {
  const jpeg = await converter.convert(hashOf(bytes), async () => bytes)
  if (typeof jpeg === 'string') throw new Error(jpeg)
  return jpeg
}

const plain = (width: number, height: number, alpha = 1) =>
  sharp({ create: { width, height, channels: 4, background: { r: 200, g: 30, b: 30, alpha } } })

const still = (shade: number) =>
  sharp({ create: { width: 16, height: 16, channels: 3, background: { r: shade, g: shade, b: shade } } })
    .png()
    .toBuffer()

/** The converter itself reads no JPEG; these tests do. */
beforeAll(async () => {
  await convert(await plain(8, 8).png().toBuffer())
  sharp.unblock({ operation: ['VipsForeignLoadJpeg'] })
})

describe('Converting to JPEG', () => {
  it.each([
    ['PNG', () => plain(300, 200).png().toBuffer()],
    ['WebP', () => plain(300, 200).webp().toBuffer()],
  ])('turns a %s into a JPEG of the same size [P11.13]', async (_, make) => {
    const jpeg = await convert(await make())
    expect(factsOf(jpeg)).toMatchObject({ type: 'image/jpeg', width: 300, height: 200 })
  })

  it('turns an image upright by its orientation, and strips its metadata [P11.14]', async () => {
    const sideways = await plain(300, 200)
      .withExif({ IFD0: { Copyright: 'Blue Cup' }, IFD3: { GPSLatitude: '52/1 31/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .webp()
      .toBuffer()
    const jpeg = await convert(sideways)
    const { width, height, exif, orientation } = await sharp(jpeg).metadata()
    expect({ width, height, exif, orientation }).toEqual({
      width: 200,
      height: 300,
      exif: undefined,
      orientation: undefined,
    })
  })

  it('shows white where the image is transparent', async () => {
    const jpeg = await convert(await plain(8, 8, 0).png().toBuffer())
    const { channels } = await sharp(jpeg).stats()
    expect(channels.map(({ min }) => min)).toEqual([255, 255, 255])
  })

  it('refuses a damaged image, one of another type, and one that takes too long', async () => {
    const png = await plain(2000, 2000).png().toBuffer()
    await expect(convert(png.subarray(0, 80))).rejects.toThrow(NotConvertible)
    const tiff = await plain(8, 8).tiff().toBuffer()
    await expect(convert(tiff)).rejects.toThrow(NotConvertible)
    await expect(convert(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).rejects.toThrow(NotConvertible)
  })

  it('takes no more images than its queue holds', { tags: 'long' }, async () => {
    const narrow = createJpegConverter({ atOnce: 1, inLine: 1, waitMs: 10_000 })
    const png = await plain(1500, 1500).png().toBuffer()
    let reads = 0
    const read = async () => {
      reads += 1
      return png
    }
    const all = await Promise.all(['a', 'b', 'c', 'd'].map((hash) => narrow.convert(hash, read)))
    expect(all.map((jpeg) => jpeg === 'busy')).toEqual([false, false, true, true])
    // An image that gets no slot takes no memory.
    expect(reads).toBe(2)
  })

  it('converts an image once for all who ask for it at the same time', async () => {
    const narrow = createJpegConverter({ atOnce: 1, inLine: 0, waitMs: 10_000 })
    const png = await plain(300, 300).png().toBuffer()
    let reads = 0
    const read = async () => {
      reads += 1
      return png
    }
    const all = await Promise.all([1, 2, 3].map(() => narrow.convert('a', read)))
    expect(new Set(all).size).toBe(1)
    expect(reads).toBe(1)
    await narrow.convert('a', read)
    expect(reads).toBe(2)
  })

  it('tells of an image that is gone, and is free for the next one', async () => {
    const narrow = createJpegConverter({ atOnce: 1, inLine: 0, waitMs: 10_000 })
    expect(await narrow.convert('a', async () => null)).toBe('gone')
    const png = await plain(8, 8).png().toBuffer()
    expect(await narrow.convert('a', async () => png)).toBeInstanceOf(Uint8Array)
  })

  it('refuses an animated WebP instead of a still of its first picture', async () => {
    const frames = await Promise.all([10, 200].map((shade) => still(shade)))
    const moving = await sharp(frames, { join: { animated: true } })
      .webp({ loop: 0, delay: [100, 100] })
      .toBuffer()
    expect((await sharp(moving).metadata()).pages).toBe(2)
    await expect(convert(moving)).rejects.toThrow(/^An animated WebP cannot be converted\./)
  })
})

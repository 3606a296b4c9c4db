import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { factsOf } from './image.ts'
import { createJpegConverter, NotConvertible } from './to-jpeg.ts'

const converter = createJpegConverter()
const plain = (width: number, height: number, alpha = 1) =>
  sharp({ create: { width, height, channels: 4, background: { r: 200, g: 30, b: 30, alpha } } })

/** The converter itself reads no JPEG; these tests do. */
beforeAll(async () => {
  await converter.convert(await plain(8, 8).png().toBuffer())
  sharp.unblock({ operation: ['VipsForeignLoadJpeg'] })
})

describe('Converting to JPEG', () => {
  it.each([
    ['PNG', () => plain(300, 200).png().toBuffer()],
    ['WebP', () => plain(300, 200).webp().toBuffer()],
  ])('turns a %s into a JPEG of the same size [P11.13]', async (_, make) => {
    const jpeg = await converter.convert(await make())
    expect(jpeg && factsOf(jpeg)).toMatchObject({ type: 'image/jpeg', width: 300, height: 200 })
  })

  it('turns an image upright by its orientation, and strips its metadata [P11.14]', async () => {
    const sideways = await plain(300, 200)
      .withExif({ IFD0: { Copyright: 'Blue Cup' }, IFD3: { GPSLatitude: '52/1 31/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .webp()
      .toBuffer()
    const jpeg = await converter.convert(sideways)
    const { width, height, exif, orientation } = await sharp(jpeg ?? undefined).metadata()
    expect({ width, height, exif, orientation }).toEqual({
      width: 200,
      height: 300,
      exif: undefined,
      orientation: undefined,
    })
  })

  it('shows white where the image is transparent', async () => {
    const jpeg = await converter.convert(await plain(8, 8, 0).png().toBuffer())
    const { channels } = await sharp(jpeg ?? undefined).stats()
    expect(channels.map(({ min }) => min)).toEqual([255, 255, 255])
  })

  it('refuses a damaged image, one of another type, and one that takes too long', async () => {
    const png = await plain(2000, 2000).png().toBuffer()
    await expect(converter.convert(png.subarray(0, 80))).rejects.toThrow(NotConvertible)
    const tiff = await plain(8, 8).tiff().toBuffer()
    await expect(converter.convert(tiff)).rejects.toThrow(NotConvertible)
    await expect(converter.convert(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).rejects.toThrow(
      NotConvertible,
    )
  })

  it('takes no more images than its queue holds', async () => {
    const narrow = createJpegConverter({ atOnce: 1, inLine: 1, waitMs: 10_000 })
    const png = await plain(1500, 1500).png().toBuffer()
    const all = await Promise.all(Array.from({ length: 4 }, () => narrow.convert(png)))
    expect(all.map((jpeg) => jpeg !== null)).toEqual([true, true, false, false])
  })
})

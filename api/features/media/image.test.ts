import { describe, expect, it } from 'vitest'
import { factsOf } from './image.ts'
import { gif, jpeg, png, webp } from './test/helpers.ts'

const images = [
  ['a JPEG', jpeg(1200, 630), 'image/jpeg', 1200, 630],
  ['a JPEG that lies on its side', jpeg(1200, 630, 6), 'image/jpeg', 630, 1200],
  ['a JPEG upside down', jpeg(1200, 630, 3), 'image/jpeg', 1200, 630],
  ['a PNG', png(640, 480), 'image/png', 640, 480],
  ['a GIF', gif(320, 200), 'image/gif', 320, 200],
  ['a lossy WebP', webp('VP8 ', 320, 200), 'image/webp', 320, 200],
  ['a lossless WebP', webp('VP8L', 320, 9000), 'image/webp', 320, 9000],
  ['an extended WebP', webp('VP8X', 16384, 200), 'image/webp', 16384, 200],
] as const

describe('image bytes', () => {
  it.each(images)('of %s are recognized with their dimensions', (_, bytes, type, width, height) => {
    expect(factsOf(bytes)).toMatchObject({ type, width, height, size: bytes.length })
  })

  it.each(images)('of %s are refused when truncated at any length', (_, bytes) => {
    for (let length = 0; length < bytes.length; length++) expect(factsOf(bytes.subarray(0, length))).toBeNull()
  })

  it('after the end of an image do no harm', () => {
    for (const whole of [jpeg(), png(), webp('VP8 ')])
      expect(factsOf(Buffer.concat([whole, Buffer.from('more')]))).not.toBeNull()
    expect(factsOf(Buffer.concat([gif(), Buffer.alloc(3)]))).not.toBeNull()
  })

  it.each([
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['HTML', '<!doctype html><title>Not found</title>'],
    ['a PDF', '%PDF-1.7'],
    ['AVIF', '\0\0\0\x20ftypavif'],
    ['a bitmap', 'BM\0\0\0\0'],
    ['nothing', ''],
  ])('of %s are refused', (_, text) => {
    expect(factsOf(Buffer.from(text, 'latin1'))).toBeNull()
  })

  it('of an image without extent are refused', () => {
    expect(factsOf(jpeg(0, 30))).toBeNull()
    expect(factsOf(gif(40, 0))).toBeNull()
  })

  it('of any kind cause no exception', { tags: 'long' }, () => {
    for (let seed = 0; seed < 3000; seed++) {
      const bytes = Buffer.from(images[seed % images.length]?.[1] ?? [])
      for (let change = 0; change < 4; change++)
        bytes[(seed * 31 + change * 17) % bytes.length] = (seed * 7 + change * 91) % 256
      expect(() => factsOf(bytes)).not.toThrow()
    }
  })
})

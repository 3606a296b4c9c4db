/** Generated images. The PNG is a real one; the others have only headers and ends. */
import { crc32, deflateSync } from 'node:zlib'

const latin1 = (text: string) => Buffer.from(text, 'latin1')
const big = (value: number, bytes: number) => {
  const buffer = Buffer.alloc(bytes)
  buffer.writeUIntBE(value, 0, bytes)
  return buffer
}
const little = (value: number, bytes: number) => big(value, bytes).reverse()

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([latin1(type), data])
  return Buffer.concat([big(data.length, 4), named, big(crc32(named), 4)])
}

/** All grey; another shade is another image. `rows`: those that it has, where its header claims more. */
export function png(width = 40, height = 30, shade = 128, rows = height): Buffer {
  const header = Buffer.concat([big(width, 4), big(height, 4), Buffer.from([8, 0, 0, 0, 0])])
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width, shade)])
  const pixels = deflateSync(Buffer.concat(Array.from({ length: rows }, () => row)))
  return Buffer.concat([
    latin1('\x89PNG\r\n\x1a\n'),
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const segment = (marker: number, data: Buffer) =>
  Buffer.concat([Buffer.from([0xff, marker]), big(data.length + 2, 2), data])

/** An EXIF segment with the orientation alone. */
function exif(orientation: number): Buffer {
  const entry = Buffer.concat([big(0x0112, 2), big(3, 2), big(1, 4), big(orientation, 2), big(0, 2)])
  return segment(
    0xe1,
    Buffer.concat([latin1('Exif\0\0MM\0*'), big(8, 4), big(1, 2), entry, big(0, 4), latin1('thumbnail \xff\xd9')]),
  )
}

/** `orientation` as in EXIF: 6 is rotated by a quarter. */
export function jpeg(width = 40, height = 30, orientation = 1): Buffer {
  const frame = segment(
    0xc0,
    Buffer.concat([Buffer.from([8]), big(height, 2), big(width, 2), Buffer.from([1, 1, 0x11, 0])]),
  )
  const scan = segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0]))
  return Buffer.concat([latin1('\xff\xd8'), exif(orientation), frame, scan, latin1('some scanned data\xff\xd9')])
}

export const gif = (width = 40, height = 30): Buffer =>
  Buffer.concat([
    latin1('GIF89a'),
    little(width, 2),
    little(height, 2),
    Buffer.from([0, 0, 0, 0x2c, 0, 0, 0, 0]),
    latin1('frame'),
    Buffer.from([0x3b]),
  ])

/** The three kinds: `VP8 ` lossy, `VP8L` lossless, `VP8X` extended. */
export function webp(kind: 'VP8 ' | 'VP8L' | 'VP8X', width = 40, height = 30): Buffer {
  const data = {
    'VP8 ': Buffer.concat([latin1('\0\0\0\x9d\x01\x2a'), little(width, 2), little(height, 2), Buffer.alloc(4)]),
    VP8L: Buffer.concat([latin1('\x2f'), little((width - 1) | ((height - 1) << 14), 4), Buffer.alloc(5)]),
    VP8X: Buffer.concat([Buffer.alloc(4), little(width - 1, 3), little(height - 1, 3)]),
  }[kind]
  const body = Buffer.concat([latin1('WEBP'), latin1(kind), little(data.length, 4), data])
  return Buffer.concat([latin1('RIFF'), little(body.length, 4), body])
}

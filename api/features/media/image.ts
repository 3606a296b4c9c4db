/** Recognizes images by their bytes: type, dimensions and completeness. Nothing is decoded. */
import { createHash } from 'node:crypto'
import { jpegSize, type Size } from './jpeg.ts'
import type { ImageType, StoredImage } from './port.ts'

/** Reads beyond the end throw a RangeError, which reveals a truncated image. */
interface Format {
  readonly type: ImageType
  readonly is: (bytes: Buffer) => boolean
  /** Null when it is damaged or incomplete. */
  readonly size: (bytes: Buffer) => Size | null
}

const starts = (bytes: Buffer, text: string, at = 0) => bytes.toString('latin1', at, at + text.length) === text

const formats: readonly Format[] = [
  { type: 'image/jpeg', is: (bytes) => starts(bytes, '\xff\xd8\xff'), size: jpegSize },
  { type: 'image/png', is: (bytes) => starts(bytes, '\x89PNG\r\n\x1a\n'), size: pngSize },
  { type: 'image/gif', is: (bytes) => starts(bytes, 'GIF87a') || starts(bytes, 'GIF89a'), size: gifSize },
  { type: 'image/webp', is: (bytes) => starts(bytes, 'RIFF') && starts(bytes, 'WEBP', 8), size: webpSize },
]

/**
 * The limit on an image's pixels: more than any network displays, and few enough to decode in some 160 MB. LinkedIn,
 * the strictest network with a documented limit, accepts 36,152,320.
 */
export const maxPixels = 40_000_000

/** The declared display size; null for anything but a whole JPEG, PNG, GIF or WebP. */
export function declaredSize(bytes: Uint8Array): Size | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const format = formats.find(({ is }) => is(buffer))
  return format ? sizeOf(format, buffer) : null
}

/**
 * Null for anything but a whole JPEG, PNG, GIF or WebP. The size in pixels is the display size, after the camera's
 * rotation.
 */
export function factsOf(bytes: Uint8Array): StoredImage | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const format = formats.find(({ is }) => is(buffer))
  const size = format && sizeOf(format, buffer)
  if (!format || !size || size.width === 0 || size.height === 0) return null
  const hash = createHash('sha256').update(buffer).digest('hex')
  return { hash, type: format.type, size: buffer.length, ...size }
}

function sizeOf({ size }: Format, bytes: Buffer): Size | null {
  try {
    return size(bytes)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** https://www.w3.org/TR/png-3/#5Chunk-layout: length, type, data, checksum; IHDR first, IEND last. */
function pngSize(bytes: Buffer): Size | null {
  if (!starts(bytes, 'IHDR', 12)) return null
  const size = { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  let at = 8
  while (!starts(bytes, 'IEND', at + 4)) at += 12 + bytes.readUInt32BE(at)
  return at + 12 <= bytes.length ? size : null
}

/** https://www.w3.org/Graphics/GIF/spec-gif89a.txt: the trailer is 0x3B; some writers pad with zeros after it. */
function gifSize(bytes: Buffer): Size | null {
  let last = bytes.length - 1
  while (last > 0 && bytes[last] === 0) last--
  return bytes[last] === 0x3b ? { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) } : null
}

/** https://developers.google.com/speed/webp/docs/riff_container: the first chunk is VP8 (lossy), VP8L or VP8X. */
function webpSize(bytes: Buffer): Size | null {
  if (bytes.readUInt32LE(4) + 8 > bytes.length) return null
  if (starts(bytes, 'VP8X', 12)) return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  if (starts(bytes, 'VP8L', 12)) {
    const bits = bytes.readUInt32LE(21)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  if (!starts(bytes, 'VP8 ', 12) || !starts(bytes, '\x9d\x01\x2a', 23)) return null
  return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
}

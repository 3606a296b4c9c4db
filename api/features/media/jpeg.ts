/** A JPEG's display dimensions: cameras store pictures on their side and note the rotation in EXIF. */

export interface Size {
  readonly width: number
  readonly height: number
}

const startOfScan = 0xda
const app1 = 0xe1

/** Frame headers: C0 to CF, except the tables (C4, C8, CC). ITU T.81, table B.1. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/** Null when it is damaged or truncated. @throws RangeError when its segments extend beyond its end */
export function jpegSize(bytes: Buffer): Size | null {
  let size: Size | null = null
  let sideways = false
  let at = 2
  for (;;) {
    if (bytes.readUInt8(at) !== 0xff) return null
    // Markers may be preceded by any number of fill bytes.
    while (bytes.readUInt8(at + 1) === 0xff) at++
    const marker = bytes.readUInt8(at + 1)
    const length = bytes.readUInt16BE(at + 2)
    if (length < 2) return null
    if (isFrame(marker)) size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    if (marker === app1) sideways ||= isSideways(bytes.subarray(at + 4, at + 2 + length))
    at += 2 + length
    if (marker === startOfScan) break
  }
  // Searched after the scan's start, because a thumbnail in an earlier segment has an end marker too.
  if (bytes.lastIndexOf('\xff\xd9', undefined, 'latin1') < at) return null
  return size && sideways ? { width: size.height, height: size.width } : size
}

const orientationTag = 0x0112

/** EXIF 2.32, 4.6: orientations 5 to 8 are rotated by a quarter. Unreadable data counts as upright. */
function isSideways(segment: Buffer): boolean {
  if (segment.toString('latin1', 0, 6) !== 'Exif\0\0') return false
  const tiff = segment.subarray(6)
  const little = tiff.toString('latin1', 0, 2) === 'II'
  const short = (at: number) => (at + 2 > tiff.length ? 0 : little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const long = (at: number) => (at + 4 > tiff.length ? 0 : little ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at))
  const directory = long(4)
  for (let entry = 0; entry < short(directory); entry++) {
    const at = directory + 2 + entry * 12
    if (at >= tiff.length) return false
    if (short(at) === orientationTag) return short(at + 8) >= 5 && short(at + 8) <= 8
  }
  return false
}

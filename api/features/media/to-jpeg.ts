/**
 * Converts a PNG or WebP to JPEG, for networks that take no other type. libvips decodes in threads of its own; only a
 * few images are decoded at once, because one of 40 megapixels takes some 160 MB.
 */
import { maxPixels } from './image.ts'
import { createSlots, type SlotLimits } from './slots.ts'

export interface JpegConverter {
  /** Null: too many images wait already. @throws NotConvertible for damaged, too large or too slow images */
  convert(bytes: Uint8Array): Promise<Uint8Array | null>
}

export class NotConvertible extends Error {
  override readonly name = 'NotConvertible'
}

export const conversionBounds: SlotLimits = { atOnce: 1, inLine: 20, waitMs: 20_000 }
export const maxConversionSeconds = 10
/** Above it, files grow and no network shows the difference. */
const quality = 90

export function createJpegConverter(
  limits: SlotLimits = conversionBounds,
  seconds: number = maxConversionSeconds,
): JpegConverter {
  const slots = createSlots(limits)
  return { convert: (bytes) => slots.run(() => jpegOf(bytes, seconds)) }
}

/** Loaded with the first image: starting the server needs no decoder. */
type Decoder = import('sharp').SharpConstructor
let loaded: Promise<Decoder> | null = null
const decoder = () => (loaded ??= load())

async function load(): Promise<Decoder> {
  const { default: sharp } = await import('sharp')
  // An image is used once, so a cache would only hold memory.
  sharp.cache(false)
  sharp.concurrency(1)
  // The other decoders of libvips are never needed, so a disguised file reaches none of them.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: ['VipsForeignLoadPng', 'VipsForeignLoadWebp'] })
  return sharp
}

/** Upright, without metadata, on white where the image is transparent. */
async function jpegOf(bytes: Uint8Array, seconds: number): Promise<Uint8Array> {
  const sharp = await decoder()
  try {
    return await sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error' })
      .timeout({ seconds })
      .autoOrient()
      .flatten({ background: '#ffffff' })
      .jpeg({ quality })
      .toBuffer()
  } catch (error) {
    throw new NotConvertible('The image could not be converted', { cause: error })
  }
}

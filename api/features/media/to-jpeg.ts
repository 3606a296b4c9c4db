/**
 * Converts a PNG or WebP to JPEG, for networks that take no other type. libvips decodes in threads of its own; only a
 * few images are decoded at once, because one of 40 megapixels takes some 160 MB.
 */
import { maxPixels } from './image.ts'
import { createSlots, type SlotLimits } from './slots.ts'

export interface JpegConverter {
  /**
   * The image is read once a slot is free, and converted once for all who ask for the same hash meanwhile.
   * @returns busy: too many images wait already; gone: there was nothing to read
   * @throws NotConvertible for animated, damaged, too large or too slow images
   */
  convert(hash: string, read: () => Promise<Uint8Array | null>): Promise<Uint8Array | 'busy' | 'gone'>
}

export class NotConvertible extends Error {
  override readonly name = 'NotConvertible'
}

/** The message is the sentence for the user. */
const damaged = 'This image could not be converted. Use a JPEG.'
const animated = 'An animated WebP cannot be converted. Use a JPEG, or a PNG or WebP without animation.'

export const conversionBounds: SlotLimits = { atOnce: 1, inLine: 20, waitMs: 20_000 }
export const maxConversionSeconds = 10
/** Above it, files grow and no network shows the difference. */
const quality = 90

export function createJpegConverter(
  limits: SlotLimits = conversionBounds,
  seconds: number = maxConversionSeconds,
): JpegConverter {
  const slots = createSlots(limits)
  /** By hash: those in a slot and in line, so never more than both hold. */
  const underWay = new Map<string, Promise<Uint8Array | 'busy' | 'gone'>>()

  async function begin(read: () => Promise<Uint8Array | null>) {
    const made = await slots.run(async () => {
      const bytes = await read()
      return bytes ? jpegOf(bytes, seconds) : 'gone'
    })
    return made ?? 'busy'
  }

  return {
    convert(hash, read) {
      const shared = underWay.get(hash) ?? begin(read).finally(() => underWay.delete(hash))
      underWay.set(hash, shared)
      return shared
    },
  }
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
  const options = { limitInputPixels: maxPixels, failOn: 'error' } as const
  try {
    const { pages = 1 } = await sharp(bytes, options).metadata()
    if (pages > 1) throw new NotConvertible(animated)
    return await sharp(bytes, options)
      .timeout({ seconds })
      .autoOrient()
      .flatten({ background: '#ffffff' })
      .jpeg({ quality })
      .toBuffer()
  } catch (error) {
    if (error instanceof NotConvertible) throw error
    throw new NotConvertible(damaged, { cause: error })
  }
}

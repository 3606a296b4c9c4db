/** Stores a JPEG of an image that is here already, so that its bytes are the ones that are seen and approved. */
import type { Kept, Images } from './images.ts'
import type { ImageQuota } from './quota.ts'
import { NotConvertible, type JpegConverter } from './to-jpeg.ts'

interface Ports {
  readonly images: Pick<Images, 'describe' | 'read' | 'take'>
  readonly imageQuota: ImageQuota
  readonly jpegs: JpegConverter
}

export type Converted = Kept | { readonly kind: 'unknown' | 'busy' | 'no-room' }

const refused = (sentence: string): Kept => ({ kind: 'refused', sentence })

export async function convertToJpeg(
  { images, imageQuota, jpegs }: Ports,
  agencyId: string,
  hash: string,
): Promise<Converted> {
  const image = await images.describe(hash)
  if (!image) return { kind: 'unknown' }
  if (image.type === 'image/jpeg') return { kind: 'stored', image }
  if (image.type === 'image/gif') return refused('A GIF cannot be converted. Use a JPEG, PNG or WebP.')
  // Its size is known once it is converted; mostly it is the smaller one.
  if (!(await imageQuota.hasRoom(agencyId, image.size))) return { kind: 'no-room' }
  try {
    const jpeg = await jpegs.convert(hash, () => images.read(hash))
    if (jpeg === 'busy') return { kind: 'busy' }
    if (jpeg === 'gone') return { kind: 'unknown' }
    const kept = await images.take(jpeg)
    if (kept.kind === 'stored') await imageQuota.count(agencyId, kept.image)
    return kept
  } catch (error) {
    if (error instanceof NotConvertible) return refused(error.message)
    throw error
  }
}

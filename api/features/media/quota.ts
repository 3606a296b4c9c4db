/** How much each agency keeps of images: every image once, whichever way it came. Images of before this count are not in it. */
import { bounds } from '../../records/bounds.ts'
import type { Records } from '../../records/port.ts'
import type { StoredImage } from './port.ts'

/** An image that is counted for an agency. */
interface Counted {
  /** Agency and hash. */
  readonly id: string
}
interface Total {
  /** The agency's. */
  readonly id: string
  readonly bytes: number
  /** Absent: counted before images were. */
  readonly images?: number
}

export interface ImageQuota {
  /** Whether the agency may keep an image more, of so many bytes. */
  hasRoom(agencyId: string, bytes: number): Promise<boolean>
  /** Counts an image that was stored, once for each agency. */
  count(agencyId: string, image: StoredImage): Promise<void>
  /** Fit for a person. */
  readonly sentence: string
}

/** @param maxImages of an agency, however small they are */
export async function openImageQuota(
  records: Records,
  maxMegabytes: number,
  maxImages: number = bounds.images_counted.each.max,
): Promise<ImageQuota> {
  const counted = await records.table<Counted>({ table: 'images_counted' })
  const totals = await records.table<Total>({ table: 'image_bytes' })
  const maxBytes = maxMegabytes * 1024 * 1024
  const size = maxMegabytes < 1024 ? `${maxMegabytes} MB` : `${Math.round(maxMegabytes / 102.4) / 10} GB`

  return {
    async hasRoom(agencyId, more) {
      const { bytes = 0, images = 0 } = (await totals.get(agencyId))?.record ?? {}
      return bytes + more <= maxBytes && images < maxImages
    },
    async count(agencyId, { hash, size: bytes }) {
      if (!(await counted.insert({ id: `${agencyId}/${hash}` }))) return
      for (;;) {
        const found = await totals.get(agencyId)
        const total = {
          id: agencyId,
          bytes: (found?.record.bytes ?? 0) + bytes,
          images: (found?.record.images ?? 0) + 1,
        }
        if (found ? await totals.replace(total, found.version) : await totals.insert(total)) return
      }
    },
    sentence: `Your agency has used its ${size} for images, or its ${maxImages.toLocaleString('en-US')} images. Ask whoever runs this server for more.`,
  }
}

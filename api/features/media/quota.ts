/**
 * Each agency's quota of stored images, fetched or uploaded, each counted once. Images stored before this quota existed
 * are not counted.
 */
import { bounds } from '../../records/bounds.ts'
import type { Records } from '../../records/port.ts'
import type { StoredImage } from './port.ts'

/** An image counted for an agency. */
interface Counted {
  /** Agency and hash. */
  readonly id: string
}
interface Total {
  /** The agency's id. */
  readonly id: string
  readonly bytes: number
  /** Absent in records from before images were counted. */
  readonly images?: number
}

export interface ImageQuota {
  /** Whether the agency may store one more image of this size. */
  hasRoom(agencyId: string, bytes: number): Promise<boolean>
  /** Counts a stored image, once per agency. */
  count(agencyId: string, image: StoredImage): Promise<void>
  /** For the user. */
  readonly sentence: string
}

/** @param maxImages per agency, regardless of their size */
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
    sentence: `Your agency has used its ${size} for images, or its ${maxImages.toLocaleString('en-US')} images. Ask the operator of this server for more.`,
  }
}

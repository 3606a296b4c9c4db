/** How much each agency keeps of images: every image once, whichever way it came. Images of before this count are not in it. */
import type { Records } from '../records/port.ts'
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
}

export interface ImageQuota {
  /** Whether the agency may keep so many bytes more. */
  hasRoom(agencyId: string, bytes: number): Promise<boolean>
  /** Counts an image that was stored, once for each agency. */
  count(agencyId: string, image: StoredImage): Promise<void>
  /** Fit for a person. */
  readonly sentence: string
}

export async function openImageQuota(records: Records, mostMegabytes: number): Promise<ImageQuota> {
  const counted = await records.table<Counted>({ table: 'images_counted' })
  const totals = await records.table<Total>({ table: 'image_bytes' })
  const most = mostMegabytes * 1024 * 1024
  const size = mostMegabytes < 1024 ? `${mostMegabytes} MB` : `${Math.round(mostMegabytes / 102.4) / 10} GB`

  return {
    hasRoom: async (agencyId, bytes) => ((await totals.get(agencyId))?.record.bytes ?? 0) + bytes <= most,
    async count(agencyId, { hash, size: bytes }) {
      if (!(await counted.insert({ id: `${agencyId}/${hash}` }))) return
      for (;;) {
        const found = await totals.get(agencyId)
        const total = { id: agencyId, bytes: (found?.record.bytes ?? 0) + bytes }
        if (found ? await totals.replace(total, found.version) : await totals.insert(total)) return
      }
    },
    sentence: `Your agency has used its ${size} for images. Ask whoever runs this server for more.`,
  }
}

/** Inspects an image published elsewhere, as a network would, without storing it. */
import type { GuardedFetch } from './guarded-fetch.ts'
import { factsOf } from './image.ts'
import { ownHash, type Images } from './images.ts'
import type { StoredImage } from './port.ts'
import { createSlots, type SlotLimits } from './slots.ts'

interface Ports {
  readonly images: Pick<Images, 'describe'>
  /** Must not reach private networks: every holder of a profile's key can choose the address. */
  readonly fetch: GuardedFetch
  readonly limits?: SlotLimits
}

/** Separate from the slots of posts, so that inspections do not delay posts' images. */
const few: SlotLimits = { atOnce: 2, inLine: 20, waitMs: 5_000 }

/** Returns null for anything but an image, a failed fetch or too long a wait. An image of our own is only looked up. */
export function createLook({ images, fetch, limits = few }: Ports): (url: string) => Promise<StoredImage | null> {
  const slots = createSlots(limits)
  return async (url) => {
    const hash = ownHash(url)
    const own = hash === null ? null : await images.describe(hash)
    if (own) return own
    const found = await slots.run(() => fetch(url))
    return found?.kind === 'fetched' ? factsOf(found.bytes) : null
  }
}

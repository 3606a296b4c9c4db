/** A look at an image that is published elsewhere, as a network takes one: what it is, and nothing of it is kept. */
import type { GuardedFetch } from './guarded-fetch.ts'
import { factsOf } from './image.ts'
import { ownHash, type Images } from './images.ts'
import type { StoredImage } from './port.ts'
import { createSlots, type SlotLimits } from './slots.ts'

interface Ports {
  readonly images: Pick<Images, 'describe'>
  /** Must not reach private networks: whoever has a key to a profile says what is fetched. */
  readonly fetch: GuardedFetch
  readonly limits?: SlotLimits
}

/** Apart from those of posts, so that nobody's images wait for these. */
const few: SlotLimits = { atOnce: 2, inLine: 20, waitMs: 5_000 }

/** Answers null for what is no image, can't be had, or would have to wait too long. One of our own is only looked up. */
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

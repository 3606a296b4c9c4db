/** The images of posts: fetched or uploaded once, kept by the hash of their bytes, and shown at an address of our own. */
import type { GuardedFetch } from './guarded-fetch.ts'
import { NotAnImage, type MediaStore, type StoredImage } from './port.ts'
import { createSlots } from './slots.ts'

/** The sentence is fit for a person. */
export type Kept = { readonly kind: 'stored'; readonly image: StoredImage } | { readonly kind: 'refused'; readonly sentence: string }

export interface Images {
  /** Stores what is behind an address; one of our own is only looked up. Never throws for what the web may answer. */
  keep(imageUrl: string): Promise<Kept>
  /** Stores what was uploaded. */
  take(bytes: Uint8Array): Promise<Kept>
  /** Null when there is none of that hash. */
  describe(hash: string): Promise<StoredImage | null>
  read(hash: string): Promise<Uint8Array<ArrayBuffer> | null>
  /** Where anybody can fetch it. */
  publicUrlOf(hash: string): string
}

interface Ports {
  readonly store: MediaStore
  /** Without a slash at the end. */
  readonly publicUrl: string
  readonly fetch: GuardedFetch
}

const limits = { atOnce: 8, inLine: 200, waitMs: 30_000 }
const refused = (sentence: string): Kept => ({ kind: 'refused', sentence })

export function createImages({ store, publicUrl, fetch }: Ports): Images {
  const slots = createSlots(limits)
  const underWay = new Map<string, Promise<Kept>>()
  const ours = `${publicUrl}/media/`

  async function take(bytes: Uint8Array): Promise<Kept> {
    try {
      return { kind: 'stored', image: await store.put(bytes) }
    } catch (error) {
      if (error instanceof NotAnImage) return refused("It isn't an image that we can use: send a JPEG, PNG, GIF or WebP.")
      throw error
    }
  }

  async function lookUp(hash: string): Promise<Kept> {
    const image = await store.describe(hash)
    return image ? { kind: 'stored', image } : refused("There is no image at this address any more. Upload it again.")
  }

  async function fetched(imageUrl: string): Promise<Kept> {
    const kept = await slots.run(async () => {
      const answer = await fetch(imageUrl)
      return answer.kind === 'fetched' ? take(answer.bytes) : refused(answer.sentence)
    })
    return kept ?? refused('Too many images are being fetched just now. Please try again in a minute.')
  }

  return {
    keep(imageUrl) {
      if (imageUrl.startsWith(ours)) return lookUp(imageUrl.slice(ours.length))
      const shared = underWay.get(imageUrl) ?? fetched(imageUrl).finally(() => underWay.delete(imageUrl))
      underWay.set(imageUrl, shared)
      return shared
    },
    take,
    describe: (hash) => store.describe(hash),
    read: (hash) => store.read(hash),
    publicUrlOf: (hash) => ours + hash,
  }
}

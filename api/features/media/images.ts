/**
 * The images of posts: fetched or uploaded once, stored by the hash of their bytes, and served from an address of our
 * own.
 */
import type { GuardedFetch } from './guarded-fetch.ts'
import { declaredSize, maxPixels } from './image.ts'
import { NotAnImage, type MediaStore, type StoredImage } from './port.ts'
import { createSlots } from './slots.ts'

/** The sentence is for the user. */
export type Kept =
  | { readonly kind: 'stored'; readonly image: StoredImage }
  | { readonly kind: 'refused'; readonly sentence: string }

export interface Images {
  /**
   * Stores the image behind an address; an image of our own, also under an earlier address, is only looked up. Never
   * throws for a failed fetch.
   */
  keep(imageUrl: string): Promise<Kept>
  /** Stores an upload. */
  take(bytes: Uint8Array): Promise<Kept>
  /** Null when there is no image with that hash. */
  describe(hash: string): Promise<StoredImage | null>
  read(hash: string): Promise<Uint8Array<ArrayBuffer> | null>
  /** The image as a stream: see `MediaStore.stream`. */
  stream: MediaStore['stream']
  /** The image's public address. */
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

/**
 * The hash in an address with the path of our images, on any host: our address may have changed, and a hash names the
 * same image everywhere. Null for any other address.
 */
export const ownHash = (url: string): string | null =>
  URL.canParse(url) ? (/^\/media\/([0-9a-f]{64})$/.exec(new URL(url).pathname)?.[1] ?? null) : null

/** Recognizes the addresses of our own images. */
export type OwnAddresses = Pick<Images, 'describe' | 'publicUrlOf'>

/** A post or card, with its image's current address. */
export const withPresentImage = async <P extends { readonly imageUrl: string | null }>(
  images: OwnAddresses,
  post: P,
): Promise<P> => (post.imageUrl === null ? post : { ...post, imageUrl: await presentUrlOf(images, post.imageUrl) })

/** The address to display: an image of our own gets its current address, any other stays as it is. */
export async function presentUrlOf(images: OwnAddresses, imageUrl: string): Promise<string> {
  const hash = imageUrl.includes('/media/') ? ownHash(imageUrl) : null
  if (hash === null || images.publicUrlOf(hash) === imageUrl) return imageUrl
  return (await images.describe(hash)) ? images.publicUrlOf(hash) : imageUrl
}

const tooManyPixels = ({ width, height }: { readonly width: number; readonly height: number }) =>
  `The image is too large: ${count(width)} by ${count(height)} pixels. Use one with at most ${maxPixels / 1_000_000} megapixels.`
const count = (pixels: number) => pixels.toLocaleString('en-US')

export function createImages({ store, publicUrl, fetch }: Ports): Images {
  const slots = createSlots(limits)
  const underWay = new Map<string, Promise<Kept>>()
  const ours = `${publicUrl}/media/`

  async function take(bytes: Uint8Array): Promise<Kept> {
    const size = declaredSize(bytes)
    if (size && size.width * size.height > maxPixels) return refused(tooManyPixels(size))
    try {
      return { kind: 'stored', image: await store.put(bytes) }
    } catch (error) {
      if (error instanceof NotAnImage) return refused('Unsupported file. Use JPEG, PNG, GIF or WebP.')
      throw error
    }
  }

  /** The stored image behind an address of our own, present or earlier; null for other addresses. */
  async function ownAt(imageUrl: string): Promise<Kept | null> {
    const hash = ownHash(imageUrl)
    const image = hash === null ? null : await store.describe(hash)
    if (image) return { kind: 'stored', image }
    return imageUrl.startsWith(ours) ? refused('There is no image at this address any more. Upload it again.') : null
  }

  async function fetched(imageUrl: string): Promise<Kept> {
    const kept = await slots.run(async () => {
      const answer = await fetch(imageUrl)
      return answer.kind === 'fetched' ? take(answer.bytes) : refused(answer.sentence)
    })
    return kept ?? refused('Too many images are being fetched just now. Please try again in a minute.')
  }

  // Only addresses of our own need a lookup; all others keep their place in the queue.
  const found = async (imageUrl: string) => {
    const isOurs = imageUrl.startsWith(ours) || ownHash(imageUrl) !== null
    return (isOurs ? await ownAt(imageUrl) : null) ?? fetched(imageUrl)
  }

  return {
    keep(imageUrl) {
      const shared = underWay.get(imageUrl) ?? found(imageUrl).finally(() => underWay.delete(imageUrl))
      underWay.set(imageUrl, shared)
      return shared
    },
    take,
    describe: (hash) => store.describe(hash),
    read: (hash) => store.read(hash),
    stream: (hash, span) => store.stream(hash, span),
    publicUrlOf: (hash) => ours + hash,
  }
}

/** The hashes of a discussion: of what a comment is about, and of its words. */
import { createHash } from 'node:crypto'

const hashOf = (value: unknown) => `v1:${createHash('sha256').update(JSON.stringify(value)).digest('hex')}`

/** Of a post's text. */
export const textHash = (text: string): string => hashOf(['text', text])

/** Of a post's image: of its stored bytes' hash or, if none are stored, of its address; null without an image. */
export function imageHash(post: {
  readonly imageUrl: string | null
  readonly image: { readonly hash: string } | null
}): string | null {
  const image = post.image?.hash ?? post.imageUrl
  return image === null ? null : hashOf(['image', image])
}

/** Of words, with a random salt: without it, short words could be guessed from their digest. */
export const wordsDigest = (salt: string, words: string): string => hashOf([salt, words])

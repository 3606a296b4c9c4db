/** What an approval is bound to: the text, the image and the profile. */
import { createHash } from 'node:crypto'

export interface Approved {
  readonly content: string
  readonly imageUrl: string | null
  /** The stored image; null for a post from before images were stored. */
  readonly image: { readonly hash: string } | null
  /** The network's id of the connected profile; null if none was connected yet. */
  readonly remoteAccountId: string | null
}

/**
 * `v1:` and the SHA-256 (hex) over content, image (the hash of its bytes, or its URL if none are stored) and remote
 * account.
 */
export function approvalHash({ content, imageUrl, image, remoteAccountId }: Approved): string {
  const text = JSON.stringify([content, image?.hash ?? imageUrl, remoteAccountId])
  return `v1:${createHash('sha256').update(text).digest('hex')}`
}

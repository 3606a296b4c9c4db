/** What an approval is bound to: the words, the image and the profile they go to. */
import { createHash } from 'node:crypto'

export interface Approved {
  readonly content: string
  readonly imageUrl: string | null
  /** What is stored of the image; null for a post from before images were stored. */
  readonly image: { readonly hash: string } | null
  /** The network's id of the connected profile; null when none was connected yet. */
  readonly remoteAccountId: string | null
}

/** `v1:` and the SHA-256 (hex) over content, image (the hash of its bytes, or its address where none are stored) and remote account. */
export function approvalHash({ content, imageUrl, image, remoteAccountId }: Approved): string {
  const text = JSON.stringify([content, image?.hash ?? imageUrl, remoteAccountId])
  return `v1:${createHash('sha256').update(text).digest('hex')}`
}

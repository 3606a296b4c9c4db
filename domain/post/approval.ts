/** What an approval is bound to: the words, the image and the profile they go to. */
import { createHash } from 'node:crypto'

export interface Approved {
  readonly content: string
  readonly imageUrl: string | null
  /** The network's id of the connected profile; null when none was connected yet. */
  readonly remoteAccountId: string | null
}

/** `v1:` and the SHA-256 (hex) over content, image and remote account. */
export function approvalHash({ content, imageUrl, remoteAccountId }: Approved): string {
  const text = JSON.stringify([content, imageUrl, remoteAccountId])
  return `v1:${createHash('sha256').update(text).digest('hex')}`
}

/** Whether an anchor fits the post as it is now. */
import { segmentsOf } from '../core/segments.ts'
import type { Anchor } from './commands.ts'
import { imageHash, textHash } from './hashes.ts'

/** What a comment can be about. */
export interface Commented {
  readonly content: string
  readonly imageUrl: string | null
  readonly image: { readonly hash: string } | null
}

export type AnchorRefusal =
  | { readonly reason: 'commented-text-changed' }
  | { readonly reason: 'commented-image-changed' }
  | { readonly reason: 'range-empty' }
  | { readonly reason: 'range-beyond-text'; readonly length: number }
  | { readonly reason: 'range-inside-character'; readonly field: 'from' | 'to' }

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Null for an anchor that fits. */
export function unfitAnchor(anchor: Anchor, post: Commented): AnchorRefusal | null {
  if (anchor.kind === 'point')
    return anchor.contentHash === imageHash(post) ? null : { reason: 'commented-image-changed' }
  const { from, to } = anchor
  if (from >= to) return { reason: 'range-empty' }
  if (anchor.contentHash !== textHash(post.content)) return { reason: 'commented-text-changed' }
  if (to > post.content.length) return { reason: 'range-beyond-text', length: post.content.length }
  if (!isBoundary(post.content, from)) return { reason: 'range-inside-character', field: 'from' }
  return isBoundary(post.content, to) ? null : { reason: 'range-inside-character', field: 'to' }
}

/** Whether an offset lies between two characters as readers see them: within no emoji and no letter with its accent. */
function isBoundary(text: string, offset: number): boolean {
  let end = 0
  for (const segment of segmentsOf(graphemes, text)) {
    if (end >= offset) break
    end += segment.length
  }
  return end === offset
}

/** Whether what a comment is about is no longer what the post has. */
export function isOfEarlierVersion(anchor: Anchor, post: Commented): boolean {
  return anchor.contentHash !== (anchor.kind === 'range' ? textHash(post.content) : imageHash(post))
}

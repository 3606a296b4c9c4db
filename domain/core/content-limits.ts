/**
 * How much text a post may keep here, whatever its status. A draft may be a little longer than its network takes, so that
 * it can be cut down; without a bound a single post could fill lists, histories and the log. Pure and browser-safe.
 */
import { textLimits } from './text-limits.ts'
import type { Platform } from './values.ts'

/** Room beyond the network's own limit, as a factor. */
const headroom = 1.1
const minLimit = 5_000
/** UTF-16 units; no text of any network is longer, see `contentSchema`. */
export const maxContentUnits = 65_000

const limitOf = (platform: Platform) =>
  Math.min(maxContentUnits, Math.max(minLimit, Math.floor(textLimits[platform] * headroom)))

/** Code points of the NFC form: the network's limit and 10 %, at least 5,000, at most 65,000. */
export const contentLimits: Readonly<Record<Platform, number>> = {
  facebook: limitOf('facebook'),
  instagram: limitOf('instagram'),
  twitter: limitOf('twitter'),
  linkedin: limitOf('linkedin'),
}

export interface ContentTooLong {
  readonly reason: 'content-too-long'
  readonly platform: Platform
  /** In the unit of `contentLimits`. */
  readonly length: number
  readonly limit: number
}

/** Null for a text that may be saved. Stored texts that are longer stay as they are: only what is saved is judged. */
export function contentTooLong(platform: Platform, content: string): ContentTooLong | null {
  const limit = contentLimits[platform]
  // Counting is only needed where even UTF-16 units are too many.
  if (content.length <= limit) return null
  const length = [...content.normalize('NFC')].length
  return length <= limit ? null : { reason: 'content-too-long', platform, length, limit }
}

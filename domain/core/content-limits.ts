/**
 * The longest text a post may have here, in any status. A draft may be a little longer than its network allows, so that
 * a user can shorten it; without a limit a single post could fill lists, histories and the log. Pure and browser-safe.
 */
import { textLimits } from './text-limits.ts'
import type { Platform } from './values.ts'

/** Allowance beyond the network's own limit, as a factor. */
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

/** Null if the text may be saved. Longer texts that are already stored stay unchanged: only new ones are checked. */
export function contentTooLong(platform: Platform, content: string): ContentTooLong | null {
  const limit = contentLimits[platform]
  // Code points never outnumber UTF-16 units, so a short text needs no count.
  if (content.length <= limit) return null
  const length = [...content.normalize('NFC')].length
  return length <= limit ? null : { reason: 'content-too-long', platform, length, limit }
}

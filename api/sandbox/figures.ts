/** Figures that grow with a post's age, deterministic per post. */
import { createHash } from 'node:crypto'
import type { Instant } from '../../domain/core/event.ts'
import type { Platform } from '../../domain/core/values.ts'

/** Absent: the network offers no such figure. */
export interface Figures {
  readonly views: number
  readonly likes: number
  readonly comments: number
  readonly shares?: number
}

interface Manner {
  /** Views of a post in its first days, from the least to the most successful. */
  readonly reach: readonly [number, number]
  /** Hours in which two thirds of the views come. */
  readonly pace: number
  readonly likes: number
  readonly comments: number
  /** Null: the network offers no such figure. */
  readonly shares: number | null
}

const manners: Readonly<Record<Platform, Manner>> = {
  facebook: { reach: [180, 2_400], pace: 9, likes: 0.035, comments: 0.006, shares: 0.004 },
  instagram: { reach: [240, 3_200], pace: 7, likes: 0.062, comments: 0.007, shares: null },
  twitter: { reach: [120, 2_800], pace: 3, likes: 0.021, comments: 0.004, shares: 0.005 },
  linkedin: { reach: [150, 1_900], pace: 16, likes: 0.028, comments: 0.008, shares: 0.003 },
}

const hourMs = 3_600_000

/** A post's figures at an instant. They never decrease, and some come within seconds, for an early first reading. */
export function figuresOf(
  post: { readonly id: string; readonly platform: Platform; readonly createdAt: Instant },
  now: Instant,
): Figures {
  const { reach, pace, ...rates } = manners[post.platform]
  const chance = chancesOf(post.id)
  const hours = Math.max(0, Date.parse(now) - Date.parse(post.createdAt)) / hourMs
  const [least, most] = reach
  // Squared, because most posts get few views and some get many.
  const expected = least + (most - least) * chance(0) ** 2
  const firstReaders = (6 + 20 * chance(1)) * grown(hours * 3600, 2)
  const later = expected * (grown(hours, pace) + 0.02 * Math.log1p(hours / 24))
  const views = Math.floor(firstReaders + later)
  const share = (rate: number, index: number) => Math.floor(views * rate * (0.6 + 0.8 * chance(index)))
  const counted = { views, likes: share(rates.likes, 2), comments: share(rates.comments, 3) }
  return rates.shares === null ? counted : { ...counted, shares: share(rates.shares, 4) }
}

const grown = (age: number, pace: number) => 1 - Math.exp(-age / pace)

/** Pseudorandom numbers from 0 to 1, deterministic per post. */
function chancesOf(id: string): (index: number) => number {
  const bytes = createHash('sha256').update(id).digest()
  return (index) => bytes.readUInt16BE(index * 2) / 0xffff
}

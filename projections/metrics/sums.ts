import type { Reading, Sums } from './view.ts'

export const noSums: Sums = { views: 0, likes: 0, comments: 0, shares: 0, engagement: 0 }

export const plus = (a: Sums, b: Sums, sign: 1 | -1 = 1): Sums => ({
  views: a.views + sign * b.views,
  likes: a.likes + sign * b.likes,
  comments: a.comments + sign * b.comments,
  shares: a.shares + sign * b.shares,
  engagement: a.engagement + sign * b.engagement,
})

/** A metric that the network does not offer counts as 0 in a sum. */
export function countedOf(reading: Omit<Reading, 'at'> | undefined): Sums {
  const { views, likes, comments, shares } = reading ?? { views: null, likes: null, comments: null, shares: null }
  const sums = { views: views ?? 0, likes: likes ?? 0, comments: comments ?? 0, shares: shares ?? 0 }
  return { ...sums, engagement: sums.likes + sums.comments + sums.shares }
}

/** What each reading added to the one before. */
export const gainsOf = (readings: readonly Reading[]) =>
  readings.map((reading, index) => ({
    at: reading.at,
    gain: plus(countedOf(reading), countedOf(readings[index - 1]), -1),
  }))

/** Likes, comments and shares; null where the network offers none of them. */
export const engagementOf = (reading: Omit<Reading, 'at'>): number | null =>
  reading.likes === null && reading.comments === null && reading.shares === null ? null : countedOf(reading).engagement

/** The part of sums between two shares of them, from 0 to 1; adjoining parts add up exactly. */
export function gainedSums(sums: Sums, from: number, to: number): Sums {
  const part = (value: number) => Math.floor(value * to) - Math.floor(value * from)
  const [likes, comments, shares] = [part(sums.likes), part(sums.comments), part(sums.shares)]
  return { views: part(sums.views), likes, comments, shares, engagement: likes + comments + shares }
}

import type { LimitTable } from './limits.ts'

const minute = 60_000
const day = 24 * 60 * minute

/** The networks' limits per profile; Facebook and LinkedIn publish none, so theirs are cautious guesses. */
export const realLimits: LimitTable = {
  facebook: { posts: 50, windowMs: day },
  instagram: { posts: 100, windowMs: day },
  twitter: { posts: 100, windowMs: 15 * minute },
  linkedin: { posts: 150, windowMs: day },
}

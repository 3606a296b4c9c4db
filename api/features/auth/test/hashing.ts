import { defaultBounds, Hashing } from '../hashing.ts'

/** A hash takes a thousandth of a second, not the forty of a real one. */
export const testHashing = (bounds = defaultBounds): Hashing =>
  new Hashing(bounds, { memoryCost: 1_024, timeCost: 2, parallelism: 1 })

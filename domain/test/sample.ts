/**
 * Sizes and seeds of seeded loops: some two seconds in `npm test`, ten times as long in `npm run test:long`, and ten
 * times as long again in `npm run soak`.
 */

interface Sizes {
  readonly test: number
  /** With `SAMPLES=long`, as `.ci/run` sets it for these files. */
  readonly long: number
}

/** How often `npm run soak` repeats what CI does. */
export const soakFactor = process.env['SAMPLES'] === 'soak' ? 10 : 1

/** @param setting the environment variable that sets another size */
export function sample(setting: string, { test, long }: Sizes): number {
  const isLong = process.env['SAMPLES'] === 'long' || process.env['SAMPLES'] === 'soak'
  return Number(process.env[setting] ?? (isLong ? soakFactor * long : test))
}

/** Whether `SEED` replaces the loops' own seeds, and those that fast-check draws (`seed.setup.ts`). */
export const isSeedGiven = process.env['SEED'] !== undefined

/** @param own the loop's seed where `SEED` sets no other, as `npm run soak` does */
export const seedOr = (own: number): number => Number(process.env['SEED'] ?? own)

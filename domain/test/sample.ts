/** The sizes of seeded loops: some two seconds in `npm test`, ten times as long in CI, whole in `npm run soak`. */

interface Sizes {
  readonly test: number
  /** With `SAMPLES=long`, as `.ci/run` sets it for these files. */
  readonly long: number
}

/** @param setting the environment variable that sets another size, as `npm run soak` does */
export const sample = (setting: string, { test, long }: Sizes): number =>
  Number(process.env[setting] ?? (process.env['SAMPLES'] === 'long' ? long : test))

/** Limits of the JavaScript of each screen, in kB (thousands of bytes) as sent with gzip. */
import type { FirstLoad } from './first-load.ts'

export interface Limits {
  readonly landing: number
  readonly signedIn: number
  readonly lazy: number
}

export const limits: Limits = { landing: 126, signedIn: 190, lazy: 70 }

export interface Line {
  readonly name: string
  readonly kB: number
  readonly limit: number
  readonly files: number
}

export function linesOf(
  { landing, signedIn, lazy }: FirstLoad,
  sizes: ReadonlyMap<string, number>,
  limit: Limits = limits,
): readonly Line[] {
  const line = (
    { name, files }: { readonly name: string; readonly files: ReadonlySet<string> },
    most: number,
  ): Line => {
    const bytes = [...files].reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0)
    return { name, kB: bytes / 1000, limit: most, files: files.size }
  }
  return [
    line(landing, limit.landing),
    ...signedIn.map((screen) => line(screen, limit.signedIn)),
    ...heaviest(lazy.map((part) => line(part, limit.lazy))),
  ]
}

/** Counts each part once, for a browser that has none of it cached. */
function heaviest(lines: readonly Line[]): readonly Line[] {
  const sorted = lines.toSorted((a, b) => b.kB - a.kB)
  return sorted.filter(({ name }, at) => sorted.findIndex((each) => each.name === name) === at)
}

export const isOver = ({ kB, limit }: Line) => kB > limit

export const textOf = (line: Line) =>
  `${line.kB.toFixed(1).padStart(7)} kB of ${line.limit}  ${line.name} (${line.files} ${line.files === 1 ? 'file' : 'files'})${isOver(line) ? '   TOO MUCH' : ''}`

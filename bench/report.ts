/** Figures with the reference they are measured against, in the same run. */
export interface Line {
  readonly what: string
  readonly figure: string
}

export const perSecond = (count: number, ms: number): number => Math.round((count * 1000) / ms)
export const grouped = (value: number): string => Math.round(value).toLocaleString('en-US')
export const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)} ms`

/** The value below which a share of the samples lies. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function print(title: string, lines: readonly Line[]): void {
  console.log(`\n${title}`)
  const width = Math.max(...lines.map(({ what }) => what.length))
  for (const { what, figure } of lines) console.log(`  ${what.padEnd(width)}  ${figure}`)
}

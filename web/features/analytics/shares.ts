/** Whole percents that sum to 100, by largest remainder; of equal remainders the earlier value rounds up. */
export function wholePercents(values: readonly number[]): readonly number[] {
  const all = values.reduce((sum, value) => sum + value, 0)
  if (all <= 0) return values.map(() => 0)
  const exact = values.map((value) => (value / all) * 100)
  const percents = exact.map(Math.floor)
  const missing = 100 - percents.reduce((sum, percent) => sum + percent, 0)
  const byRemainder = exact
    .map((value, index) => ({ index, remainder: value - Math.floor(value) }))
    .sort((a, b) => b.remainder - a.remainder || a.index - b.index)
  for (const { index } of byRemainder.slice(0, missing)) percents[index] = (percents[index] ?? 0) + 1
  return percents
}

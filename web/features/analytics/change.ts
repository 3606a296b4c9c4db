import { words } from './words.ts'

/** How a sum changed from the previous period's, in words. */
export function changeOf(now: number, before: number): string {
  if (now === before) return words.change.none
  const percent = Math.round(((now - before) / before) * 100)
  if (before > 0 && percent !== 0) return words.change.share(percent, before.toLocaleString())
  const difference = Math.abs(now - before).toLocaleString()
  return words.change.difference(`${now > before ? '+' : '−'}${difference}`, before.toLocaleString())
}

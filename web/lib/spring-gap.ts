/** A time of day that a day lacks because clocks go forward: the sentence for the user. */
import { clockKey, formatTime } from './dates.ts'
import { words } from './words.ts'

/** Nothing where the clock shows what was wanted, `02:30`. */
export function gapSentence(wanted: string, instant: string, zone: string): string | null {
  if (clockKey(instant, zone) === wanted) return null
  const asked = formatTime(`2000-01-01T${wanted}:00Z`, 'UTC')
  return words.clocksForward(asked, formatTime(instant, zone))
}

/** Joins sentences; absent ones are left out. */
export const withGap = (sentence: string, gap: string | null) => (gap === null ? sentence : `${sentence} ${gap}`)

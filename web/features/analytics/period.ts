/** Periods of days, from the address. */
import type { AnalyticsSearch, Preset } from './search.ts'

export interface Days {
  readonly from: string
  readonly to: string
}

/** As the server limits it. */
export const maxDays = 366
const dayMs = 86_400_000
const instantOf = (day: string) => Date.parse(`${day}T00:00:00Z`)
const dayOf = (instant: number) => new Date(instant).toISOString().slice(0, 10)
const daysBefore = (day: string, count: number) => dayOf(instantOf(day) - count * dayMs)

/** @param today in the agency's time zone */
function daysOfPreset(preset: Preset, today: string): Days {
  const firstOfMonth = `${today.slice(0, 7)}-01`
  switch (preset) {
    case '7d':
      return { from: daysBefore(today, 6), to: today }
    case '30d':
      return { from: daysBefore(today, 29), to: today }
    case '90d':
      return { from: daysBefore(today, 89), to: today }
    case 'month':
      return { from: firstOfMonth, to: today }
    case 'last-month': {
      const to = daysBefore(firstOfMonth, 1)
      return { from: `${to.slice(0, 7)}-01`, to }
    }
  }
}

export type Wrong = 'order' | 'length'

/** What is wrong with two days; null: nothing. */
export function wrongWith({ from, to }: Days): Wrong | null {
  const length = Math.round((instantOf(to) - instantOf(from)) / dayMs) + 1
  return length < 1 ? 'order' : length > maxDays ? 'length' : null
}

/** Null: all time. */
export function daysOf({ period, from, to }: AnalyticsSearch, today: string): Days | null {
  if (period !== undefined) return daysOfPreset(period, today)
  if (from === undefined || to === undefined) return null
  return wrongWith({ from, to }) === null ? { from, to } : null
}

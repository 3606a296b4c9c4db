import type { CalendarEntry } from '../../../api/contract/index.ts'
import { dayKey } from '../../lib/dates.ts'

const shown: readonly CalendarEntry['status'][] = ['approved', 'scheduled', 'published']

/** The posts of each day in the agency's zone, by time. */
export function byDay(entries: readonly CalendarEntry[], zone: string): Map<string, CalendarEntry[]> {
  const days = new Map<string, CalendarEntry[]>()
  const inOrder = entries
    .filter(({ status }) => shown.includes(status))
    .toSorted((a, b) => a.scheduledFor.localeCompare(b.scheduledFor))
  for (const entry of inOrder) {
    const day = dayKey(entry.scheduledFor, zone)
    days.set(day, [...(days.get(day) ?? []), entry])
  }
  return days
}

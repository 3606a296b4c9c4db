import type { CalendarDays, CalendarTile } from '../../../api/contract/index.ts'
import { dayKey } from '../../lib/dates.ts'

const planned: readonly CalendarTile['status'][] = ['approved', 'scheduled', 'published']
const open: readonly CalendarTile['status'][] = ['draft', 'pending']

export interface DayPosts {
  /** By time. */
  readonly entries: readonly CalendarTile[]
  /** Posts of that day that are not among them. */
  readonly more: number
}

export const noPosts: DayPosts = { entries: [], more: 0 }

/** The posts of each day in the agency's zone, by time. */
export function byDay(
  { posts, more }: Pick<CalendarDays, 'posts' | 'more'>,
  zone: string,
  withDrafts = false,
): ReadonlyMap<string, DayPosts> {
  const days = new Map<string, { entries: CalendarTile[]; more: number }>()
  const of = (day: string) => {
    const known = days.get(day) ?? { entries: [], more: 0 }
    days.set(day, known)
    return known
  }
  const inOrder = posts
    .filter(({ status }) => planned.includes(status) || (withDrafts && open.includes(status)))
    .toSorted((a, b) => (a.scheduledFor < b.scheduledFor ? -1 : a.scheduledFor > b.scheduledFor ? 1 : 0))
  for (const entry of inOrder) of(dayKey(entry.scheduledFor, zone)).entries.push(entry)
  for (const { day, count } of more) of(day).more = count
  return days
}

/** Why a day doesn't take a post, before the post is let go over it. */
import type { CalendarTile } from '../../../api/contract/index.ts'
import { clockKey, dayKey, formatTime } from '../../lib/dates.ts'
import { words } from './words.ts'

export interface Circumstances {
  readonly zone: string
  /** Why nothing new can be started; null while trial or subscription run. */
  readonly blocked: string | null
}

/** A post that is held or failed goes out once it has a new time, and that takes a payment first. */
export const blockedFor = ({ can }: Pick<CalendarTile, 'can'>, { blocked }: Circumstances): string | null =>
  can.includes('release') || can.includes('retry') ? blocked : null

/** A few words for the day's own place; null when it takes the post. */
export function refusalOf(
  entry: Pick<CalendarTile, 'can' | 'scheduledFor'>,
  day: string,
  now: string,
  around: Circumstances,
): string | null {
  const { zone } = around
  const today = dayKey(now, zone)
  if (blockedFor(entry, around) !== null) return words.paymentNeeded
  if (day < today) return words.inThePast
  // The post keeps its time of day.
  if (day === today && clockKey(entry.scheduledFor, zone) <= clockKey(now, zone))
    return words.timePassed(formatTime(entry.scheduledFor, zone))
  return null
}

/** What a post would stand close to on another day: posts of its client on the same network within half an hour. */
import type { CalendarTile } from '../../../api/contract/index.ts'
import { clockKey, formatTime } from '../../lib/dates.ts'

const closeMinutes = 30

type Timed = Pick<CalendarTile, 'id' | 'clientId' | 'platform' | 'scheduledFor'>

const minutesOf = (instant: string, zone: string) => {
  const [hours = 0, minutes = 0] = clockKey(instant, zone).split(':').map(Number)
  return hours * 60 + minutes
}

/** `3:10 PM`; null when nothing is close. */
export function collisionOf(entry: Timed, ofDay: readonly Timed[], zone: string): string | null {
  const at = minutesOf(entry.scheduledFor, zone)
  const close = ofDay.find(
    ({ id, clientId, platform, scheduledFor }) =>
      id !== entry.id &&
      clientId === entry.clientId &&
      platform === entry.platform &&
      Math.abs(minutesOf(scheduledFor, zone) - at) < closeMinutes,
  )
  return close ? formatTime(close.scheduledFor, zone) : null
}

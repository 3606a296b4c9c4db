/** A post let go on another day: moved at once on the screen, and back again if the server refuses. */
import { useEffect } from 'react'
import type { CalendarTile } from '../../../api/contract/index.ts'
import { clockKey, formatDay, formatTime } from '../../lib/dates.ts'
import { moveTo, toastFailure, usePostAction } from '../../lib/post-actions.ts'
import { platformLook } from '../../lib/platforms.ts'
import { gapSentence, withGap } from '../../lib/spring-gap.ts'
import { loadWallClock, sameClockOn } from '../../lib/wall-clock.ts'
import { words } from './words.ts'

export function useDropOnDay(zone: string, onSaid: (sentence: string) => void) {
  const { run } = usePostAction()
  useEffect(loadWallClock, [])
  const moveToDay = async (entry: CalendarTile, day: string, collision: string | null) => {
    const scheduledFor = await sameClockOn(day, entry.scheduledFor, zone)
    const gap = gapSentence(clockKey(entry.scheduledFor, zone), scheduledFor, zone)
    const move = moveTo(scheduledFor, entry)
    const close = collision === null ? '' : ` ${words.closeToPost(platformLook[entry.platform].name, collision)}`
    const done = { ...move.done, description: withGap(move.done.description, gap) + close }
    const send = async (id: string) => {
      const post = await move.send(id)
      onSaid(withGap(words.movedTo(formatDay(day), formatTime(scheduledFor, zone)), gap) + close)
      return post
    }
    run(entry.id, { ...move, done, send })
  }
  return (entry: CalendarTile, day: string, collision: string | null) =>
    // The time zone module may still be loading when the connection is lost.
    void moveToDay(entry, day, collision).catch((error: unknown) =>
      toastFailure(moveTo(entry.scheduledFor, entry).failed, error),
    )
}

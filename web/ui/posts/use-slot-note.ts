/** Names the time that a post without a time, or with one that has passed, gets once it is approved or scheduled. */
import { useQuery } from '@tanstack/react-query'
import type { Post } from '../../../api/contract/index.ts'
import { formatSlot } from '../../lib/dates.ts'
import { nextSlotQuery } from '../../lib/queries.ts'
import { words } from './words.ts'

type Timed = Pick<Post, 'can' | 'scheduledFor' | 'socialAccountId'>

const hasPassed = (instant: string) => Date.parse(instant) <= Date.now()

/**
 * Null for a post that keeps its time, or that can be neither approved nor scheduled.
 * @param which `lapsed`: only of a post whose time has passed
 */
export function useSlotNote(post: Timed, zone: string, which: 'lapsed' | 'all' = 'all'): string | null {
  const { can, scheduledFor } = post
  const lapsed = scheduledFor !== null && hasPassed(scheduledFor)
  const takesSlot = (can.includes('approve') || can.includes('schedule')) && (scheduledFor === null || lapsed)
  const isWanted = takesSlot && (lapsed || which === 'all')
  const { data } = useQuery({ ...nextSlotQuery(post.socialAccountId), enabled: isWanted })
  if (!isWanted) return null
  if (!data) return lapsed ? words.lapsedUnknown : words.nextSlotUnknown
  const time = formatSlot(data.at, zone)
  return lapsed ? words.lapsed(time) : words.nextSlot(time)
}

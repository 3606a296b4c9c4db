/**
 * What a schedule needs, computed from the events: the posts that it no longer wants, and its slots without a post.
 * Pure.
 */
import { standingOf, type Agency } from '../../../domain/agency/state.ts'
import type { PostingSchedule } from '../../../domain/client/schedule-state.ts'
import type { Client } from '../../../domain/client/state.ts'
import type { Instant } from '../../../domain/core/event.ts'
import type { PlannedPostView } from '../../../projections/planned-posts/view.ts'
import type { Slot } from '../../features/schedules/slots.ts'

export interface ScheduleRef {
  readonly id: string
  readonly clientId: string
  readonly agencyId: string
}

export interface Slots {
  /** The slots of a schedule to fill now. */
  of(scheduleId: string, schedule: PostingSchedule, zone: string): readonly Slot[]
  /** Whether the schedule's rules no longer contain a slot. */
  isGone(scheduleId: string, schedule: PostingSchedule, zone: string, slot: Instant): boolean
}

export interface Known {
  readonly agency: Agency
  readonly client: Client
  readonly now: Instant
  readonly slots: Slots
}

export type Because = 'schedule-changed' | 'schedule-removed'

export interface ToDo {
  readonly stale: readonly { readonly post: PlannedPostView; readonly because: Because }[]
  readonly wanted: readonly Slot[]
}

/** The schedule if it is writing posts now; otherwise null. */
export function writing(
  { id, clientId }: ScheduleRef,
  { agency, client, now }: Omit<Known, 'slots'>,
): PostingSchedule | null {
  const schedule = client.schedules[id]
  if (!schedule?.isActive || !(clientId in agency.clients) || !client.accounts[schedule.accountId]) return null
  return standingOf(agency, now) === 'good' ? schedule : null
}

/** @param untouched the schedule's future posts that no user has changed or decided on */
export function toDo(ref: ScheduleRef, untouched: readonly PlannedPostView[], known: Known): ToDo {
  const schedule = known.client.schedules[ref.id]
  if (!schedule) return { stale: untouched.map((post) => ({ post, because: 'schedule-removed' })), wanted: [] }
  // A paused or unpaid schedule keeps its posts, including those of earlier rules, until it is resumed.
  if (writing(ref, known) === null) return { stale: [], wanted: [] }
  const { slots, agency } = known
  // A new time zone moves the slots without a new revision of the rules.
  const isStale = ({ revision, slot }: PlannedPostView) =>
    revision !== schedule.revision || slots.isGone(ref.id, schedule, agency.timeZone, slot)
  return {
    stale: untouched.filter(isStale).map((post) => ({ post, because: 'schedule-changed' })),
    wanted: slots.of(ref.id, schedule, agency.timeZone),
  }
}

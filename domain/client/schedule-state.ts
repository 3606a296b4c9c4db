/** A client's posting schedules, folded from its stream. */
import type { Instant } from '../core/event.ts'
import type { UsedIds } from '../core/used-ids.ts'
import type { ScheduleRules } from './commands.ts'
import type { ClientEvent } from './events.ts'

export interface PostingSchedule extends ScheduleRules {
  readonly accountId: string
  readonly isActive: boolean
  /** The number of changes to its rules: posts are written for a slot of a revision. */
  readonly revision: number
  /** The rules as first added, to compare a repeated request with. */
  readonly addedAs: ScheduleRules
  /** By slot: why its post could not be written. Cleared when a user asks for a retry. */
  readonly failures: Readonly<Record<Instant, string>>
}

export interface Schedules {
  readonly schedules: Readonly<Record<string, PostingSchedule>>
  readonly removedSchedules: UsedIds
}

type ScheduleEvent = Extract<ClientEvent, { type: `PostingSchedule${string}` | `PostPlanning${string}` }>

export function evolveSchedules({ schedules, removedSchedules }: Schedules, event: ScheduleEvent): Schedules {
  const { scheduleId } = event.data
  const schedule = schedules[scheduleId]
  const having = (next: PostingSchedule | undefined): Schedules =>
    next ? { schedules: { ...schedules, [scheduleId]: next }, removedSchedules } : { schedules, removedSchedules }
  switch (event.type) {
    case 'PostingScheduleAdded': {
      const { scheduleId: _, accountId, ...rules } = event.data
      return having({ ...rules, accountId, isActive: true, revision: 0, addedAs: rules, failures: {} })
    }
    case 'PostingScheduleRevised': {
      const { scheduleId: _, accountId: __, ...rules } = event.data
      return having(schedule && { ...schedule, ...rules, revision: schedule.revision + 1, failures: {} })
    }
    case 'PostingSchedulePaused':
      return having(schedule && { ...schedule, isActive: false })
    case 'PostingScheduleResumed':
      return having(schedule && { ...schedule, isActive: true })
    case 'PostingScheduleRemoved': {
      const { [scheduleId]: _gone, ...others } = schedules
      return { schedules: others, removedSchedules: removedSchedules.with(scheduleId) }
    }
    case 'PostPlanningFailed': {
      const { slot, cause } = event.data
      return having(schedule && { ...schedule, failures: { ...recent(schedule.failures, slot), [slot]: cause } })
    }
    case 'PostPlanningRetried': {
      if (!schedule) return having(schedule)
      const { [event.data.slot]: _done, ...failures } = schedule.failures
      return having({ ...schedule, failures })
    }
  }
}

const rememberedMs = 30 * 86_400_000

/** The failures without those of slots long past, which no user will retry. */
function recent(failures: PostingSchedule['failures'], slot: Instant): PostingSchedule['failures'] {
  const since = new Date(Date.parse(slot) - rememberedMs).toISOString()
  return Object.fromEntries(Object.entries(failures).filter(([at]) => at >= since))
}

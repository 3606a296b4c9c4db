/** A client's posting schedules: at most one per account. */
import { refuse, type Refused } from '../core/decider.ts'
import type { ClientCommand, ScheduleRules } from './commands.ts'
import type { ClientEvent } from './events.ts'
import type { PostingSchedule } from './schedule-state.ts'
import type { Client, ClientContext, ClientRefusal } from './state.ts'

type Of<Type extends ClientCommand['type']> = Extract<ClientCommand, { type: Type }>
type ScheduleCommand = Of<
  | 'AddPostingSchedule'
  | 'RevisePostingSchedule'
  | 'PausePostingSchedule'
  | 'ResumePostingSchedule'
  | 'RemovePostingSchedule'
  | 'RecordPlanningFailed'
  | 'RetryPlanning'
>
type Decision = readonly ClientEvent[] | Refused<ClientRefusal>

export function decideSchedule(client: Client, command: ScheduleCommand, context: ClientContext): Decision {
  const { scheduleId } = command
  if (command.type === 'AddPostingSchedule') return add(client, command, context)
  const schedule = client.schedules[scheduleId]
  const isGone = client.removedSchedules.has(scheduleId)
  if (command.type === 'RemovePostingSchedule' && isGone) return []
  // A failure reported for earlier rules or a removed schedule is ignored.
  if (command.type === 'RecordPlanningFailed' && schedule?.revision !== command.revision) return []
  if (!schedule) return refuse({ reason: 'schedule-unknown' })
  const { accountId, revision } = schedule
  switch (command.type) {
    case 'RevisePostingSchedule':
      if (sameRules(schedule, command)) return []
      return (
        seen(schedule, command) ??
        paid(context) ?? [{ type: 'PostingScheduleRevised', data: { scheduleId, accountId, ...rulesOf(command) } }]
      )
    case 'PausePostingSchedule':
      if (!schedule.isActive) return []
      return seen(schedule, command) ?? [{ type: 'PostingSchedulePaused', data: { scheduleId, accountId } }]
    case 'ResumePostingSchedule':
      if (schedule.isActive) return []
      return (
        seen(schedule, command) ??
        paid(context) ?? [{ type: 'PostingScheduleResumed', data: { scheduleId, accountId } }]
      )
    case 'RemovePostingSchedule':
      return [{ type: 'PostingScheduleRemoved', data: { scheduleId, accountId } }]
    case 'RecordPlanningFailed': {
      const { slot, cause } = command
      return schedule.failures[slot] === cause
        ? []
        : [{ type: 'PostPlanningFailed', data: { scheduleId, revision, slot, cause } }]
    }
    case 'RetryPlanning': {
      const { slot } = command
      if (schedule.failures[slot] === undefined) return []
      return paid(context) ?? [{ type: 'PostPlanningRetried', data: { scheduleId, revision, slot } }]
    }
  }
}

function add(client: Client, command: Of<'AddPostingSchedule'>, context: ClientContext): Decision {
  const { scheduleId, accountId } = command
  const known = client.schedules[scheduleId]
  if (known) return isSame(known, command) ? [] : refuse({ reason: 'id-taken' })
  if (client.removedSchedules.has(scheduleId)) return refuse({ reason: 'id-taken' })
  if (!client.accounts[accountId]) return refuse({ reason: 'account-unknown' })
  const isScheduled = Object.values(client.schedules).some((other) => other.accountId === accountId)
  if (isScheduled) return refuse({ reason: 'account-has-a-schedule' })
  return paid(context) ?? [{ type: 'PostingScheduleAdded', data: { scheduleId, accountId, ...rulesOf(command) } }]
}

const paid = ({ standing }: ClientContext) =>
  standing === 'good' ? null : refuse<ClientRefusal>({ reason: 'subscription-needed', standing })

/** Rejects a change whose expected revision is not the current one. */
const seen = ({ revision }: PostingSchedule, { ifRevision }: { readonly ifRevision?: number }) =>
  ifRevision === undefined || ifRevision === revision ? null : refuse<ClientRefusal>({ reason: 'stale-revision' })

const isSame = (known: PostingSchedule, asked: Of<'AddPostingSchedule'>) =>
  known.accountId === asked.accountId && sameRules(known.addedAs, asked)

const rulesOf = ({ frequency, postsPerWeek, preferredTimes, contentTopics }: ScheduleRules): ScheduleRules => ({
  frequency,
  postsPerWeek,
  preferredTimes: preferredTimes.map(({ day, time }) => ({ day, time })),
  contentTopics: [...contentTopics],
})
const sameRules = (a: ScheduleRules, b: ScheduleRules) => JSON.stringify(rulesOf(a)) === JSON.stringify(rulesOf(b))

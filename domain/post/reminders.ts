/** Reminders of a step that waits: recorded once for each hour of the policy, the last one with an escalation. */
import { openStep, type ApprovalRound } from '../core/approval-round.ts'
import { refuse } from '../core/decider.ts'
import type { Instant } from '../core/event.ts'
import type { Of, PostContext, PostDecision } from './rules.ts'
import type { Post } from './state.ts'
import type { PostEvent } from './events.ts'

const hourMs = 3_600_000

/** The last of the policy's hours that have passed since the open step opened, from 1 on; 0: none has. */
export function hoursPassed({ policy, reminders }: ApprovalRound, now: Instant): number {
  if (!reminders) return 0
  const { remindAfterHours = [] } = policy
  const passedMs = Date.parse(now) - Date.parse(reminders.openedAt)
  return remindAfterHours.filter((hours) => hours * hourMs <= passedMs).length
}

/** What the next reminder would be about; null: none is due. Of hours that were missed, only the last one counts. */
export function dueReminder(post: Post, now: Instant): Omit<Of<'RemindOfStep'>, 'type'> | null {
  const { round, status, deleted } = post
  if (deleted || status !== 'pending' || !round?.reminders) return null
  const step = openStep(round)
  const number = hoursPassed(round, now)
  if (!step || number <= round.reminders.number) return null
  return { stepId: step.id, version: post.review?.version ?? 0, opening: round.reminders.opening, number }
}

/** Whether the reminder is the last one, and the policy escalates then. */
export const escalatesAt = ({ policy }: ApprovalRound, number: number) =>
  policy.ifSilent?.kind === 'escalate' && number === policy.remindAfterHours?.length ? policy.ifSilent.to : null

export function remind(post: Post, command: Of<'RemindOfStep'>, context: PostContext): PostDecision {
  const { stepId, version, opening, number, unreached } = command
  const { round } = post
  const isOpen = post.status === 'pending' && round?.reminders?.opening === opening && openStep(round)?.id === stepId
  if (!round?.reminders || !isOpen || post.review?.version !== version) return refuse({ reason: 'step-over' })
  if (number <= round.reminders.number) return []
  if (number > hoursPassed(round, context.now)) return refuse({ reason: 'not-due' })
  if (context.standing !== 'good') return refuse({ reason: 'subscription-needed', standing: context.standing })
  const reminded: PostEvent = { type: 'PostStepReminded', data: { stepId, number, ...(unreached && { unreached }) } }
  const to = escalatesAt(round, number)
  return to === null ? [reminded] : [reminded, { type: 'PostStepEscalated', data: { stepId, to } }]
}

/** The rules from the first draft to a time on the calendar. */
import { contentTooLong } from '../core/content-limits.ts'
import { refuse } from '../core/decider.ts'
import { isBeyondAgreed, type ApprovalRound } from '../core/approval-round.ts'
import type { Instant } from '../core/event.ts'
import { plausibleEnd } from '../core/waits.ts'
import type { PostEvent } from './events.ts'
import { generatedAs } from './generated.ts'
import { bind, blocked, newlyStored } from './readiness.ts'
import { refusedOwn, wrongState, type Of, type PostDecision, type PostContext } from './rules.ts'
import type { Post } from './state.ts'
import { may } from './state-table.ts'
import { approveStep, isAsAgreed, reassignStep, refusedTime, skipStep, submission } from './steps.ts'

export type ReviewCommand = Of<
  | 'ReviseContent'
  | 'ReplaceImage'
  | 'PlanPost'
  | 'SubmitPost'
  | 'ApprovePost'
  | 'SkipStep'
  | 'ReassignStep'
  | 'RejectPost'
  | 'SchedulePost'
  | 'PublishPostNow'
  | 'ReschedulePost'
  | 'ReturnPostToDraft'
>

export function review(post: Post, command: ReviewCommand, context: PostContext): PostDecision {
  switch (command.type) {
    case 'ReviseContent': {
      const { content, generation } = command
      if (post.status === 'draft' && post.content === content) return []
      if (!may('edit', post)) return wrongState('edit', post)
      if (content.trim() === '') return refuse({ reason: 'content-empty' })
      const tooLong = contentTooLong(post.platform, content)
      if (tooLong) return refuse(tooLong)
      return [{ type: 'PostContentRevised', data: { content, ...generatedAs(generation) } }]
    }
    case 'ReplaceImage': {
      if (post.status === 'draft' && post.imageUrl === command.imageUrl) return []
      if (!may('edit', post)) return wrongState('edit', post)
      return [{ type: 'PostImageReplaced', data: { imageUrl: command.imageUrl } }]
    }
    case 'PlanPost': {
      const { scheduledFor } = command
      if (post.status === 'draft' && post.scheduledFor === scheduledFor) return []
      if (!may('plan', post)) return wrongState('plan', post)
      if (scheduledFor <= context.now) return refuse({ reason: 'scheduled-in-the-past' })
      return [{ type: 'PostPlanned', data: { scheduledFor } }]
    }
    case 'SubmitPost':
      if (post.status === 'pending') return []
      if (!may('submit', post)) return wrongState('submit', post)
      return (
        blocked(post, post.scheduledFor, context) ?? [
          ...newlyStored(post, context),
          submission(post, context.approvals.policy, context),
        ]
      )
    case 'ApprovePost': {
      if (post.status === 'approved') return []
      if (!may('approve', post)) return wrongState('approve', post)
      if (post.round) return approveStep(post, post.round, command.stepId, context)
      const { scheduledFor } = post
      const time = scheduledFor !== null && scheduledFor > context.now ? scheduledFor : context.freeSlot
      return (
        refusedOwn(post, context) ??
        blocked(post, time, context) ?? [
          ...newlyStored(post, context),
          { type: 'PostApproved', data: bind(post, time, context) },
        ]
      )
    }
    case 'SkipStep':
      return skipStep(post, command, context)
    case 'ReassignStep':
      return reassignStep(post, command, context)
    case 'RejectPost':
      if (post.status === 'rejected' && (command.reason === null || command.reason === post.rejectionReason)) return []
      if (!may('reject', post)) return wrongState('reject', post)
      return [{ type: 'PostRejected', data: { reason: command.reason } }]
    case 'SchedulePost': {
      const { scheduledFor } = command
      const holds = scheduledFor === null || scheduledFor === post.scheduledFor
      if (post.status === 'scheduled' && holds) return []
      if (!may('schedule', post)) return wrongState('schedule', post)
      if (context.approvals.policy) return refuse({ reason: 'approval-needed' })
      if (scheduledFor !== null && scheduledFor <= context.now) return refuse({ reason: 'scheduled-in-the-past' })
      const planned =
        post.scheduledFor !== null && post.scheduledFor > context.now ? post.scheduledFor : context.freeSlot
      const time = scheduledFor ?? planned
      return (
        refusedOwn(post, context) ??
        blocked(post, time, context) ?? [
          ...newlyStored(post, context),
          { type: 'PostScheduled', data: bind(post, time, context) },
        ]
      )
    }
    case 'PublishPostNow':
      return publishNow(post, context)
    case 'ReschedulePost': {
      const { scheduledFor } = command
      // Moved before, further than was agreed: its steps are open again.
      if (post.status === 'pending' && post.round && post.scheduledFor === scheduledFor) return []
      if (!may('reschedule', post) || post.scheduledFor === null) return wrongState('reschedule', post)
      if (post.scheduledFor === scheduledFor) return []
      if (scheduledFor <= context.now) return refuse({ reason: 'scheduled-in-the-past' })
      const moved = { type: 'PostRescheduled', data: { scheduledFor, from: post.scheduledFor } } as const
      return post.round && isBeyondAgreed(post.round, scheduledFor)
        ? reopened(post, post.round, moved, context)
        : [moved]
    }
    case 'ReturnPostToDraft':
      if (post.status === 'draft') return []
      if (!may('return-to-draft', post)) return wrongState('return-to-draft', post)
      return [{ type: 'PostReturnedToDraft', data: { from: post.status } }]
  }
}

/** A time further from the agreed one than the policy allows: all steps are open again. */
function reopened(post: Post, { policy }: ApprovalRound, moved: PostEvent, context: PostContext): PostDecision {
  return [moved, { type: 'PostReturnedToDraft', data: { from: post.status } }, submission(post, policy, context)]
}

/** The approval is given anew, for this moment and for what the post has now. */
function publishNow(post: Post, context: PostContext): PostDecision {
  const { now, account } = context
  // A post whose time has come is the publisher's already.
  if (isDue(post, now)) return []
  if (!may('publish-now', post)) return wrongState('publish-now', post)
  if (post.status === 'draft' && context.approvals.policy) return refuse({ reason: 'approval-needed' })
  // It binds the post to the profile of this moment, which only the steps may approve.
  if (!isAsAgreed(post, context)) return refuse({ reason: 'not-what-was-approved' })
  const refusal = refusedTime(post, now) ?? refusedOwn(post, context) ?? blocked(post, now, context)
  if (refusal) return refusal
  if (!account?.isConnected) return refuse({ reason: 'not-connected' })
  const pausedUntil = plausibleEnd(account.pausedUntil, now)
  if (pausedUntil !== null && pausedUntil > now) return refuse({ reason: 'account-paused', until: pausedUntil })
  const type = post.status === 'approved' ? 'PostApproved' : 'PostScheduled'
  return [...newlyStored(post, context), { type, data: bind(post, now, context) }]
}

const isDue = ({ status, delivery, scheduledFor }: Post, now: Instant): boolean =>
  (status === 'approved' || status === 'scheduled') &&
  delivery === 'none' &&
  scheduledFor !== null &&
  scheduledFor <= now

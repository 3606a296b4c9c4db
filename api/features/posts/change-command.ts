/** The command that a change of a post asks for. */
import { openStep } from '../../../domain/core/approval-round.ts'
import type { PostCommand } from '../../../domain/post/commands.ts'
import type { Post } from '../../../domain/post/state.ts'
import type { Body, Routes } from '../../contract/index.ts'

export type Saved = Extract<Body<Routes['changePost']>, { content: string }>
type Change = Exclude<Body<Routes['changePost']>, Saved>

/** Maps a change to its command. A time alone schedules a draft or moves a post on its way. */
export function changeOf(change: Change, { status, round }: Pick<Post, 'status' | 'round'>): PostCommand {
  if ('imageUrl' in change) return { type: 'ReplaceImage', imageUrl: change.imageUrl }
  if ('assignedTo' in change) return { type: 'AssignPost', memberId: change.assignedTo }
  if (!('status' in change)) {
    return { type: status === 'draft' ? 'PlanPost' : 'ReschedulePost', scheduledFor: change.scheduledFor }
  }
  switch (change.status) {
    case 'pending':
      return { type: 'SubmitPost' }
    case 'approved':
      return approvalOf(round, change.stepId)
    case 'rejected':
      return { type: 'RejectPost', reason: change.reason }
    case 'draft':
      return { type: 'ReturnPostToDraft' }
    case 'scheduled':
      return { type: 'SchedulePost', scheduledFor: change.scheduledFor }
  }
}

/** An approval of the step that the caller saw, or of the open one: of the whole post where it has no steps. */
export function approvalOf(round: Post['round'], seen?: string): PostCommand {
  const stepId = seen ?? (round && openStep(round)?.id)
  return { type: 'ApprovePost', ...(stepId !== undefined && { stepId }) }
}

/** The command that a change of a post asks for. */
import type { PostCommand, PostStatus } from '../../../domain/post/commands.ts'
import type { Body, Routes } from '../../contract/index.ts'

export type Saved = Extract<Body<Routes['changePost']>, { content: string }>
type Change = Exclude<Body<Routes['changePost']>, Saved>

/** Maps a change to its command. A time alone schedules a draft or moves a post on its way. */
export function changeOf(change: Change, status: PostStatus): PostCommand {
  if ('imageUrl' in change) return { type: 'ReplaceImage', imageUrl: change.imageUrl }
  if ('assignedTo' in change) return { type: 'AssignPost', memberId: change.assignedTo }
  if (!('status' in change)) {
    return { type: status === 'draft' ? 'PlanPost' : 'ReschedulePost', scheduledFor: change.scheduledFor }
  }
  switch (change.status) {
    case 'pending':
      return { type: 'SubmitPost' }
    case 'approved':
      return { type: 'ApprovePost' }
    case 'rejected':
      return { type: 'RejectPost', reason: change.reason }
    case 'draft':
      return { type: 'ReturnPostToDraft' }
    case 'scheduled':
      return { type: 'SchedulePost', scheduledFor: change.scheduledFor }
  }
}

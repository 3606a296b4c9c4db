/** Which pending posts are to be reminded of next: the worklist of the process that reminds. */
import type { PostEvent } from '../../domain/post/events.ts'
import { idOf, projection } from '../core/projection.ts'
import { approvalReminderView, type ApprovalReminderView } from './view.ts'

type ReminderEvent = Extract<
  PostEvent,
  {
    type:
      | 'PostSubmitted'
      | 'PostStepApproved'
      | 'PostStepSkipped'
      | 'PostStepReassigned'
      | 'PostSignedOff'
      | 'PostStepReminded'
      | 'PostApproved'
      | 'PostRejected'
      | 'PostReturnedToDraft'
      | 'PostDeleted'
  }
>

const hourMs = 3_600_000

/** @param number how many of the hours count as reminded of */
function waiting(post: Omit<ApprovalReminderView, 'dueAt'>, number: number): ApprovalReminderView {
  const next = post.hours[number]
  return {
    ...post,
    dueAt: next === undefined ? null : new Date(Date.parse(post.openedAt) + next * hourMs).toISOString(),
  }
}

type At = { readonly metadata: { readonly at: string } }
/** The next step is open, or the same one with other people: its reminders begin anew. */
const opened = (post: ApprovalReminderView | null, { metadata }: At) =>
  post && waiting({ ...post, openedAt: metadata.at }, 0)
const ended = () => null

export const approvalRemindersProjection = projection<ReminderEvent>()({
  name: 'approval-reminders',
  version: 1,
  view: approvalReminderView,
  indexes: [['dueAt']],
  on: {
    PostSubmitted: (_, { stream, data: { policy }, metadata: { agencyId, at } }) =>
      policy?.remindAfterHours?.length
        ? waiting({ id: idOf(stream), agencyId, hours: policy.remindAfterHours, openedAt: at }, 0)
        : null,
    PostStepApproved: (post, event) => (event.data.settles ? opened(post, event) : post),
    PostStepSkipped: opened,
    PostStepReassigned: opened,
    PostSignedOff: opened,
    PostStepReminded: (post, { data }) => post && waiting(post, data.number),
    PostApproved: ended,
    PostRejected: ended,
    PostReturnedToDraft: ended,
    PostDeleted: ended,
  },
})

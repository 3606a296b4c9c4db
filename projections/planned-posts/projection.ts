import type { PostEvent } from '../../domain/post/events.ts'
import { idOf, projection } from '../core/projection.ts'
import { plannedPostView, type PlannedPostView } from './view.ts'

/** The user actions possible on a post that waits for review; after any of them it counts as touched. */
type Touching = Extract<
  PostEvent,
  {
    type:
      | 'PostContentRevised'
      | 'PostImageReplaced'
      | 'PostPlanned'
      | 'PostStepApproved'
      | 'PostStepSkipped'
      | 'PostStepReassigned'
      | 'PostSignedOff'
      | 'PostReviewed'
      | 'PostApproved'
      | 'PostRejected'
      | 'PostScheduled'
      | 'PostReturnedToDraft'
  }
>
type PlannedEvent = Touching | Extract<PostEvent, { type: 'PostWritten' | 'PostDeleted' }>

const touched = (post: PlannedPostView | null) => post && { ...post, isTouched: true }

export const plannedPostsProjection = projection<PlannedEvent>()({
  name: 'planned-posts',
  version: 2,
  view: plannedPostView,
  // Version 1 knows no steps: a post with one approved is not withdrawn, because the rules refuse that.
  predecessors: [{ version: 1, convert: (post) => plannedPostView.parse(post) }],
  indexes: [
    ['scheduleId', 'slot'],
    ['agencyId', 'slot'],
    ['isTouched', 'slot'],
  ],
  on: {
    PostWritten: (_, { stream, data: { clientId, accountId, plan }, metadata: { agencyId } }) =>
      plan ? { id: idOf(stream), agencyId, clientId, accountId, ...plan, isTouched: false } : null,
    PostContentRevised: touched,
    PostImageReplaced: touched,
    PostPlanned: touched,
    PostStepApproved: touched,
    PostStepSkipped: touched,
    PostStepReassigned: touched,
    PostSignedOff: touched,
    PostReviewed: touched,
    PostApproved: touched,
    PostRejected: touched,
    PostScheduled: touched,
    PostReturnedToDraft: touched,
    PostDeleted: () => null,
  },
})

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
  version: 1,
  view: plannedPostView,
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
    PostApproved: touched,
    PostRejected: touched,
    PostScheduled: touched,
    PostReturnedToDraft: touched,
    PostDeleted: () => null,
  },
})

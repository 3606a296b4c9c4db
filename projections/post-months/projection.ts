import type { Instant, Recorded } from '../../domain/core/event.ts'
import type { PostEvent } from '../../domain/post/events.ts'
import { idOf, projection } from '../core/projection.ts'
import { postMonthView, type PostMonthView } from './view.ts'

type PlanningEvent = Extract<
  PostEvent,
  {
    type:
      | 'PostWritten'
      | 'PostPlanned'
      | 'PostApproved'
      | 'PostScheduled'
      | 'PostRescheduled'
      | 'PostRetried'
      | 'PostReleased'
  }
>

const hour = 3_600_000
/** The local times of an instant, in the westernmost and the easternmost time zone. */
const offsets = [-12 * hour, 14 * hour]

/** The months that an instant lies in, in any time zone. */
export const monthsOf = (at: Instant): readonly string[] => [
  ...new Set(offsets.map((offset) => new Date(Date.parse(at) + offset).toISOString().slice(0, 7))),
]

/** Nothing is removed: a post that was moved or deleted was there before. */
const listed = (_: PostMonthView | null, { stream, metadata }: Recorded, id: string): PostMonthView => ({
  id,
  postId: idOf(stream),
  agencyId: metadata.agencyId,
  clientId: metadata.clientId ?? '',
  month: id.slice(id.indexOf(':') + 1),
})

export const postMonthsProjection = projection<PlanningEvent>()({
  name: 'post-months',
  version: 1,
  view: postMonthView,
  indexes: [
    ['agencyId', 'month'],
    ['agencyId', 'clientId', 'month'],
  ],
  keys: ({ stream, data: { scheduledFor } }) =>
    scheduledFor === null ? [] : monthsOf(scheduledFor).map((month) => `${idOf(stream)}:${month}`),
  on: {
    PostWritten: listed,
    PostPlanned: listed,
    PostApproved: listed,
    PostScheduled: listed,
    PostRescheduled: listed,
    PostRetried: listed,
    PostReleased: listed,
  },
})

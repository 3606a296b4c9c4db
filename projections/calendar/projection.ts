import { agreedOn, steppedRound, submittedRound, type StepEvent } from '../../domain/core/approval-round-fold.ts'
import { userOf } from '../../domain/core/event.ts'
import type { Delivery } from '../../domain/post/commands.ts'
import type { PostEvent } from '../../domain/post/events.ts'
import { excerptOf } from '../core/excerpt.ts'
import { ofNobody, withoutRound } from '../posts/view.ts'
import { idOf, projection } from '../core/projection.ts'
import { calendarView, type CalendarView } from './view.ts'

type CalendarEvent = Exclude<PostEvent, { type: 'PostMetricsRecorded' | 'PostImageStored' | 'PublishingPrepared' }>

const change = (post: CalendarView | null, changes: Partial<CalendarView>) => (post ? { ...post, ...changes } : null)
const step = (post: CalendarView | null, event: StepEvent) => change(post, { round: steppedRound(post, event) })
const stands = (delivery: Delivery) => ({ delivery, heldBecause: null })

/** Of the versions 2 to 5. */
const byDelivery = [
  ['agencyId', 'scheduledFor'],
  ['agencyId', 'status', 'scheduledFor'],
  ['agencyId', 'delivery', 'scheduledFor'],
]

export const calendarProjection = projection<CalendarEvent>()({
  name: 'calendar',
  version: 7,
  view: calendarView,
  indexes: [
    ['agencyId', 'scheduledFor'],
    ['agencyId', 'status', 'scheduledFor'],
    // The next posts that go out are searched by both: most posts of one delivery are published.
    ['agencyId', 'delivery', 'status', 'scheduledFor'],
  ],
  predecessors: [
    { version: 6, convert: (document) => calendarView.parse({ ...document, ...withoutRound }) },
    { version: 5, indexes: byDelivery, convert: (document) => calendarView.parse({ ...document, ...withoutRound }) },
    {
      version: 4,
      indexes: byDelivery,
      convert: (document) => calendarView.parse({ ...document, ...ofNobody, ...withoutRound }),
    },
    {
      version: 3,
      indexes: byDelivery,
      convert: (document) => calendarView.parse({ ...document, ...ofNobody, ...withoutRound }),
    },
    // Version 2 had the whole text.
    {
      version: 2,
      indexes: byDelivery,
      convert: (post) =>
        calendarView.parse({ ...post, ...excerptOf(String(post['content'])), ...ofNobody, ...withoutRound }),
    },
  ],
  on: {
    PostWritten: (_, { type, stream, data, metadata }) => ({
      id: idOf(stream),
      agencyId: metadata.agencyId,
      clientId: data.clientId,
      socialAccountId: data.accountId,
      platform: data.platform,
      ...excerptOf(data.content),
      imageUrl: data.imageUrl,
      status: 'draft' as const,
      ...stands('none'),
      scheduledFor: data.scheduledFor,
      assignedTo: null,
      textBy: userOf({ type, data, metadata }),
      imageBy: data.imageUrl === null ? null : userOf({ type, data, metadata }),
      round: null,
    }),
    PostContentRevised: (post, event) =>
      change(post, { status: 'draft', ...excerptOf(event.data.content), textBy: userOf(event), round: null }),
    PostImageReplaced: (post, event) =>
      change(post, { status: 'draft', imageUrl: event.data.imageUrl, imageBy: userOf(event), round: null }),
    PostAssigned: (post, { data }) => change(post, { assignedTo: data.memberId }),
    PostPlanned: (post, { data }) => change(post, { scheduledFor: data.scheduledFor }),
    PostSubmitted: (post, event) => change(post, { status: 'pending', round: submittedRound(event) }),
    PostStepApproved: step,
    PostStepSkipped: step,
    PostStepReassigned: step,
    PostStepReminded: step,
    PostStepEscalated: step,
    PostSignedOff: step,
    PostApproved: (post, { data }) => change(post, { ...stands('none'), ...agreedOn(post, data), status: 'approved' }),
    PostRejected: (post) => change(post, { status: 'rejected', round: null }),
    PostScheduled: (post, { data }) =>
      change(post, { ...stands('none'), ...agreedOn(post, data), status: 'scheduled' }),
    PostRescheduled: (post, { data }) => change(post, { scheduledFor: data.scheduledFor }),
    PostReturnedToDraft: (post) => change(post, { status: 'draft', ...stands('none'), round: null }),
    PostClaimed: (post) => change(post, stands('claimed')),
    PostPublished: (post) => change(post, { status: 'published', ...stands('none') }),
    PublishingRejected: (post) => change(post, stands('rejected')),
    PublishingOutcomeUnknown: (post) => change(post, stands('unknown')),
    PublishingFailed: (post) => change(post, stands('failed')),
    PostFoundAbsent: (post) => change(post, stands('none')),
    PostHeld: (post, { data }) => change(post, { ...stands('held'), heldBecause: data.because }),
    PostRetried: (post, { data }) => change(post, { ...stands('none'), scheduledFor: data.scheduledFor }),
    PostReleased: (post, { data }) => change(post, { ...stands('none'), scheduledFor: data.scheduledFor }),
    PostDeleted: () => null,
  },
})

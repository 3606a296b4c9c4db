import type { PostEvent } from '../../domain/post/events.ts'
import { idOf, projection } from '../core/projection.ts'
import { duePostView, type DuePostView } from './view.ts'

type DueEvent = Exclude<
  PostEvent,
  {
    type:
      | 'PostContentRevised'
      | 'PostSubmitted'
      | 'PostRejected'
      | 'PostStepApproved'
      | 'PostStepSkipped'
      | 'PostStepReassigned'
      | 'PostStepReminded'
      | 'PostStepEscalated'
      | 'PostSignedOff'
      | 'PostReviewed'
      | 'PostMetricsRecorded'
      | 'PostImageStored'
      | 'PublishingPrepared'
  }
>

const change = (post: DuePostView | null, changes: Partial<DuePostView>) => (post ? { ...post, ...changes } : null)

const isUnsettled = ({ delivery }: DuePostView) => delivery === 'claimed' || delivery === 'unknown'

/** Records an attempt's outcome; a post that was deleted meanwhile has nothing left to do and is removed. */
const settle = (post: DuePostView | null, changes: Partial<DuePostView>) =>
  post?.deleted ? null : change(post, { until: null, ...changes })

/** An approval for another moment also ends the wait for a retry. */
const approved = (
  post: DuePostView | null,
  { data: { scheduledFor } }: { readonly data: { readonly scheduledFor: string } },
) => change(post, { waiting: true, delivery: 'none', heldBecause: null, dueAt: scheduledFor, scheduledFor })

/** Of the versions 2 and 3. */
const formerIndexes = [
  ['waiting', 'dueAt'],
  ['delivery', 'claimedAt'],
  ['accountId', 'waiting', 'dueAt'],
  ['remoteId'],
  ['agencyId', 'heldBecause', 'scheduledFor'],
]

export const duePostsProjection = projection<DueEvent>()({
  name: 'due-posts',
  version: 4,
  view: duePostView,
  // Version 2 says something else of a post that was found absent; neither has posts without a remote id, so look-ups
  // wait for this one.
  predecessors: [3, 2].map((version) => ({
    version,
    indexes: formerIndexes,
    convert: (document) => duePostView.parse({ unnamedIn: null, ...document }),
  })),
  indexes: [...formerIndexes, ['unnamedIn', 'claimedAt']],
  on: {
    PostWritten: (_, { stream, data, metadata }) => ({
      id: idOf(stream),
      agencyId: metadata.agencyId,
      clientId: data.clientId,
      accountId: data.accountId,
      platform: data.platform,
      hasImage: data.imageUrl !== null,
      waiting: false,
      dueAt: data.scheduledFor,
      scheduledFor: data.scheduledFor,
      delivery: 'none' as const,
      heldBecause: null,
      attemptId: null,
      claimedAt: null,
      until: null,
      deleted: false,
      remoteId: null,
      unnamedIn: null,
    }),
    PostImageReplaced: (post, { data }) => change(post, { hasImage: data.imageUrl !== null }),
    PostPlanned: (post, { data }) => change(post, { dueAt: data.scheduledFor, scheduledFor: data.scheduledFor }),
    PostApproved: approved,
    PostScheduled: approved,
    PostRescheduled: (post, { data }) => change(post, { dueAt: data.scheduledFor, scheduledFor: data.scheduledFor }),
    PostReturnedToDraft: (post) => change(post, { waiting: false, delivery: 'none', heldBecause: null }),
    PostClaimed: (post, { data, metadata }) =>
      change(post, {
        waiting: false,
        delivery: 'claimed',
        attemptId: data.attemptId,
        claimedAt: metadata.at,
        until: data.until,
      }),
    PublishingRejected: (post, { data }) => settle(post, { waiting: true, delivery: 'rejected', dueAt: data.retryAt }),
    // A deleted post's open outcome is still looked up: it may be live.
    PublishingOutcomeUnknown: (post) => change(post, { delivery: 'unknown', until: null }),
    PublishingFailed: (post) => settle(post, { delivery: 'failed' }),
    PostFoundAbsent: (post, { metadata }) =>
      // A user who says that it is not live wants it sent now, however late: it is not held as overdue.
      settle(post, { waiting: true, delivery: 'none', ...(metadata.actor.type === 'user' && { dueAt: metadata.at }) }),
    PostHeld: (post, { data }) => change(post, { waiting: false, delivery: 'held', heldBecause: data.because }),
    PostRetried: (post, { data }) =>
      change(post, { waiting: true, delivery: 'none', dueAt: data.scheduledFor, scheduledFor: data.scheduledFor }),
    PostReleased: (post, { data }) =>
      change(post, {
        waiting: true,
        delivery: 'none',
        heldBecause: null,
        dueAt: data.scheduledFor,
        scheduledFor: data.scheduledFor,
      }),
    PostPublished: (post, { data }) =>
      change(post, {
        waiting: false,
        delivery: 'none',
        until: null,
        remoteId: data.remoteId,
        unnamedIn: data.remoteId === null && post ? post.accountId : null,
      }),
    PostDeleted: (post) =>
      post && (isUnsettled(post) || post.remoteId !== null || post.unnamedIn !== null)
        ? { ...post, waiting: false, deleted: true }
        : null,
  },
})

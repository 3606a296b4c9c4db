/** How each event changes a post's document, for every view of posts and its own text fields. */
import { agreedOn, steppedRound, submittedRound, type StepEvent } from '../../domain/core/approval-round-fold.ts'
import { userOf, type Recorded } from '../../domain/core/event.ts'
import type { PostEvent } from '../../domain/post/events.ts'
import { idOf, type Definition } from '../core/projection.ts'
import type { PostView } from './view.ts'

export type ShownEvent = Exclude<PostEvent, { type: 'PostMetricsRecorded' | 'PublishingPrepared' }>

type Rest = Omit<PostView, 'content'>

/** No delivery in progress, and nothing to report about the last one. */
const quiet = { delivery: 'none', deliveryNote: null, remedy: null, heldBecause: null, retryAt: null } as const

type Written = Extract<PostEvent, { type: 'PostWritten' }>['data']

/**
 * @param textOf the fields that the view stores of a text
 * @param orderOf further fields that follow from the others, and from what they were before
 * @param sourceOf further fields that the first event decides
 */
export function postHandlers<Text extends object, Order extends object = object, Source extends object = object>(
  textOf: (content: string) => Text,
  orderOf: (post: Rest & Partial<Order>) => Order = () => ({}) as Order,
  sourceOf: (data: Written) => Source = () => ({}) as Source,
): Definition<Rest & Text & Order & Source, ShownEvent>['on'] {
  type Shown = Rest & Text & Order & Source
  const inOrder = (post: Rest & Text & Source & Partial<Order>): Shown => ({ ...post, ...orderOf(post) })
  const change = (
    post: Shown | null,
    { metadata, revision }: Recorded,
    changes: Partial<Rest>,
    text?: Text,
  ): Shown | null => (post ? inOrder({ ...post, ...changes, ...text, updatedAt: metadata.at, revision }) : null)

  const step = (post: Shown | null, event: Recorded<StepEvent>) =>
    change(post, event, { round: steppedRound(post, event) })

  return {
    PostWritten: (_, { type, stream, data, metadata, revision }) =>
      inOrder({
        id: idOf(stream),
        agencyId: metadata.agencyId,
        clientId: data.clientId,
        socialAccountId: data.accountId,
        platform: data.platform,
        ...textOf(data.content),
        imageUrl: data.imageUrl,
        image: null,
        status: 'draft' as const,
        ...quiet,
        rejectionReason: null,
        scheduledFor: data.scheduledFor,
        publishedAt: null,
        url: null,
        plan: data.plan ?? null,
        assignedTo: null,
        textBy: userOf({ type, data, metadata }),
        imageBy: data.imageUrl === null ? null : userOf({ type, data, metadata }),
        round: null,
        ...sourceOf(data),
        createdAt: metadata.at,
        updatedAt: metadata.at,
        revision,
      }),
    PostContentRevised: (post, event) =>
      change(
        post,
        event,
        { status: 'draft', rejectionReason: null, textBy: userOf(event), round: null },
        textOf(event.data.content),
      ),
    PostImageReplaced: (post, event) =>
      change(post, event, {
        status: 'draft',
        imageUrl: event.data.imageUrl,
        image: null,
        imageBy: userOf(event),
        rejectionReason: null,
        round: null,
      }),
    PostImageStored: (post, event) => change(post, event, { image: event.data.image }),
    PostPlanned: (post, event) => change(post, event, { scheduledFor: event.data.scheduledFor }),
    PostSubmitted: (post, event) => change(post, event, { status: 'pending', round: submittedRound(event) }),
    PostStepApproved: step,
    PostStepSkipped: step,
    PostStepReassigned: step,
    PostStepReminded: step,
    PostStepEscalated: step,
    PostSignedOff: step,
    PostReviewed: (post, event) => change(post, event, {}),
    PostApproved: (post, event) => change(post, event, { ...quiet, ...agreedOn(post, event.data), status: 'approved' }),
    PostRejected: (post, event) =>
      change(post, event, { status: 'rejected', rejectionReason: event.data.reason, round: null }),
    PostScheduled: (post, event) =>
      change(post, event, { ...quiet, ...agreedOn(post, event.data), status: 'scheduled' }),
    PostRescheduled: (post, event) => change(post, event, { scheduledFor: event.data.scheduledFor, retryAt: null }),
    PostReturnedToDraft: (post, event) => change(post, event, { status: 'draft', ...quiet, round: null }),
    PostAssigned: (post, event) => change(post, event, { assignedTo: event.data.memberId }),
    PostClaimed: (post, event) => change(post, event, { ...quiet, delivery: 'claimed' }),
    PostPublished: (post, event) =>
      change(post, event, { ...quiet, status: 'published', publishedAt: event.metadata.at, url: event.data.url }),
    PublishingRejected: (post, event) =>
      change(post, event, {
        delivery: 'rejected',
        deliveryNote: event.data.cause,
        remedy: event.data.remedy ?? 'wait',
        retryAt: event.data.retryAt,
      }),
    PublishingOutcomeUnknown: (post, event) =>
      change(post, event, { delivery: 'unknown', deliveryNote: event.data.cause }),
    PublishingFailed: (post, event) =>
      change(post, event, { delivery: 'failed', deliveryNote: event.data.cause, remedy: event.data.remedy ?? null }),
    PostFoundAbsent: (post, event) => change(post, event, quiet),
    PostHeld: (post, event) => change(post, event, { ...quiet, delivery: 'held', heldBecause: event.data.because }),
    PostRetried: (post, event) => change(post, event, { ...quiet, scheduledFor: event.data.scheduledFor }),
    PostReleased: (post, event) => change(post, event, { ...quiet, scheduledFor: event.data.scheduledFor }),
    PostDeleted: () => null,
  }
}

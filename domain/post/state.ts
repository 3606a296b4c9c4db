import type { ApprovalRound } from '../core/approval-round.ts'
import { afterAgreement, afterStep, submittedRound } from '../core/approval-round-fold.ts'
import { userOf, type Instant } from '../core/event.ts'
import type { Platform, StoredImage } from '../core/values.ts'
import type { Delivery, Plan, PostStatus, Totals } from './commands.ts'
import type { Counted, PostEvent } from './events.ts'
import { afterSubmission, afterVerdict, type PostReview } from './review-fold.ts'

export interface Post {
  readonly exists: boolean
  /** The post as first written, to compare a repeated request with. */
  readonly writtenAs: Extract<PostEvent, { type: 'PostWritten' }>['data'] | null
  readonly deleted: boolean
  /** The slot that it was written for; null without a posting schedule. */
  readonly plan: Plan | null
  /** The post was acted on after it was written. */
  readonly isTouched: boolean
  readonly clientId: string
  readonly accountId: string
  readonly platform: Platform
  readonly content: string
  readonly imageUrl: string | null
  /** The stored image; null until then. */
  readonly image: StoredImage | null
  /** The users who wrote the text and chose the image that the post has now; null for a process. */
  readonly textBy: string | null
  readonly imageBy: string | null
  /** The member who takes care of it. */
  readonly assignedTo: string | null
  readonly status: PostStatus
  readonly rejectionReason: string | null
  readonly delivery: Delivery
  readonly scheduledFor: Instant | null
  readonly approval: { readonly hash: string; readonly remoteAccountId: string | null } | null
  /** Of a post that was submitted under an approval policy: its steps. */
  readonly round?: ApprovalRound
  /** Of a submitted post. */
  readonly review?: PostReview
  /** On hold because the client asked for it. */
  readonly isHeldByClient?: true
  /** The current or last attempt to publish. */
  readonly attemptId: string | null
  readonly attempts: number
  /** What the current or last attempt had prepared on the network. */
  readonly prepared: readonly string[]
  readonly retryAt: Instant | null
  readonly remoteId: string | null
  readonly url: string | null
  /** The number of recorded readings of its figures. */
  readonly readings: number
  readonly totals: Totals | null
}

export const initialPost: Post = {
  exists: false,
  writtenAs: null,
  deleted: false,
  plan: null,
  isTouched: false,
  clientId: '',
  accountId: '',
  platform: 'facebook',
  content: '',
  imageUrl: null,
  image: null,
  textBy: null,
  imageBy: null,
  assignedTo: null,
  status: 'draft',
  rejectionReason: null,
  delivery: 'none',
  scheduledFor: null,
  approval: null,
  attemptId: null,
  attempts: 0,
  prepared: [],
  retryAt: null,
  remoteId: null,
  url: null,
  readings: 0,
  totals: null,
}

/** A post's figures for sums: a figure that the network doesn't offer counts as 0. */
export function countedOf(totals: Totals | null): Counted {
  const views = totals?.views ?? 0
  const likes = totals?.likes ?? 0
  const comments = totals?.comments ?? 0
  const shares = totals?.shares ?? 0
  return { views, likes, comments, shares, engagement: likes + comments + shares }
}

/** A figure that is no longer offered keeps its last value. */
export function newest(before: Totals | null, now: Totals): Totals {
  return {
    views: now.views ?? before?.views ?? null,
    likes: now.likes ?? before?.likes ?? null,
    comments: now.comments ?? before?.comments ?? null,
    shares: now.shares ?? before?.shares ?? null,
  }
}

const approvedAs = (
  post: Post,
  status: PostStatus,
  data: Extract<PostEvent, { type: 'PostApproved' }>['data'],
): Post => ({
  ...post,
  status,
  // A planned retry is over: the post goes out at the approved time.
  delivery: 'none',
  retryAt: null,
  scheduledFor: data.scheduledFor,
  approval: { hash: data.approvalHash, remoteAccountId: data.remoteAccountId },
  ...(post.round && { round: afterAgreement(post.round, data.scheduledFor) }),
})

/** Every approval of a step is void: the next submission begins a round of its own. */
function withoutRound(post: Post): Post {
  const { round: _, ...rest } = post
  return rest
}

function unheld(post: Post): Post {
  const { isHeldByClient: _, ...rest } = post
  return rest
}

/** The events that create a post, send it to review and remind of it: any other event counts as touching it. */
const arriving: ReadonlySet<string> = new Set<PostEvent['type']>([
  'PostWritten',
  'PostImageStored',
  'PostSubmitted',
  'PostStepReminded',
  'PostStepEscalated',
])

export function evolvePost(post: Post, event: PostEvent): Post {
  const next = changed(post, event)
  return next.isTouched || arriving.has(event.type) ? next : { ...next, isTouched: true }
}

function changed(post: Post, event: PostEvent): Post {
  switch (event.type) {
    case 'PostWritten': {
      const { clientId, accountId, platform, content, imageUrl, scheduledFor, plan = null } = event.data
      return {
        ...post,
        exists: true,
        writtenAs: event.data,
        clientId,
        accountId,
        platform,
        content,
        imageUrl,
        textBy: userOf(event),
        imageBy: imageUrl === null ? null : userOf(event),
        scheduledFor,
        plan,
      }
    }
    case 'PostContentRevised':
      return { ...withoutRound(post), status: 'draft', content: event.data.content, textBy: userOf(event) }
    case 'PostImageReplaced':
      return {
        ...withoutRound(post),
        status: 'draft',
        imageUrl: event.data.imageUrl,
        image: null,
        imageBy: userOf(event),
      }
    case 'PostImageStored':
      return { ...post, image: event.data.image }
    case 'PostPlanned':
      return { ...post, scheduledFor: event.data.scheduledFor }
    case 'PostRescheduled':
      // The new time replaces a planned retry.
      return { ...post, scheduledFor: event.data.scheduledFor, retryAt: null }
    case 'PostSubmitted': {
      const round = submittedRound(event)
      return {
        ...withoutRound(post),
        status: 'pending',
        ...afterSubmission(post.review, post),
        ...(round && { round }),
      }
    }
    case 'PostStepApproved':
    case 'PostStepSkipped':
    case 'PostStepReassigned':
    case 'PostStepReminded':
    case 'PostStepEscalated':
      return post.round ? { ...post, round: afterStep(post.round, event) } : post
    case 'PostSignedOff':
      return {
        ...post,
        ...afterVerdict(post.review, event.data, 'approve'),
        ...(post.round && { round: afterStep(post.round, event) }),
      }
    case 'PostReviewed':
      return { ...post, ...afterVerdict(post.review, event.data, event.data.verdict) }
    case 'PostApproved':
      return approvedAs(post, 'approved', event.data)
    case 'PostScheduled':
      return approvedAs(post, 'scheduled', event.data)
    case 'PostRejected':
      return { ...withoutRound(post), status: 'rejected', rejectionReason: event.data.reason }
    case 'PostReturnedToDraft':
      return { ...withoutRound(unheld(post)), status: 'draft', delivery: 'none', approval: null, retryAt: null }
    case 'PostAssigned':
      return { ...post, assignedTo: event.data.memberId }
    case 'PostClaimed':
      return {
        ...post,
        delivery: 'claimed',
        attemptId: event.data.attemptId,
        attempts: event.data.number,
        prepared: [],
        retryAt: null,
      }
    case 'PublishingPrepared':
      return { ...post, prepared: event.data.media }
    case 'PostPublished':
      return {
        ...post,
        status: 'published',
        delivery: 'none',
        remoteId: event.data.remoteId,
        url: event.data.url,
        retryAt: null,
      }
    case 'PublishingRejected':
      return { ...post, delivery: 'rejected', retryAt: event.data.retryAt }
    case 'PublishingOutcomeUnknown':
      return { ...post, delivery: 'unknown' }
    case 'PublishingFailed':
      return { ...post, delivery: 'failed', retryAt: null }
    case 'PostFoundAbsent':
      return { ...post, delivery: 'none' }
    case 'PostHeld':
      return { ...post, delivery: 'held', retryAt: null, ...(event.data.review && { isHeldByClient: true }) }
    case 'PostRetried':
    case 'PostReleased':
      return { ...unheld(post), delivery: 'none', retryAt: null, scheduledFor: event.data.scheduledFor }
    case 'PostMetricsRecorded':
      return { ...post, readings: event.data.reading + 1, totals: newest(post.totals, event.data.totals) }
    case 'PostDeleted':
      return { ...post, deleted: true }
  }
}

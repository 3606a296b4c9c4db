/** The publisher's part of a post's rules: the owner of an attempt, and its possible outcomes. */
import { refuse } from '../core/decider.ts'
import type { Instant } from '../core/event.ts'
import { plausibleEnd } from '../core/waits.ts'
import { approvalHash } from './approval.ts'
import { refusedOwn, wrongState, type Of, type PostDecision, type PostContext } from './rules.ts'
import type { Post } from './state.ts'
import { may } from './state-table.ts'
import { refusedTime } from './steps.ts'

/** Claiming is the lock: the publisher that appends the claim owns the attempt, and no other sends the post. */
export function claim(post: Post, command: Of<'ClaimPost' | 'HoldPost'>, context: PostContext): PostDecision {
  if (command.type === 'HoldPost' && post.delivery === 'held') return []
  if (command.type === 'ClaimPost' && post.delivery === 'claimed' && post.attemptId === command.attemptId) return []

  const onItsWay = post.status === 'approved' || post.status === 'scheduled'
  if (!onItsWay || (post.delivery !== 'none' && post.delivery !== 'rejected'))
    return refuse({ reason: 'not-claimable' })
  const dueAt = post.retryAt ?? post.scheduledFor
  if (dueAt === null || dueAt > context.now) return refuse({ reason: 'not-due' })
  if (command.type === 'HoldPost') return [{ type: 'PostHeld', data: { because: command.because, review: null } }]

  if (!context.clientOnRoster) return refuse({ reason: 'client-unknown' })
  if (context.standing !== 'good') return refuse({ reason: 'subscription-needed', standing: context.standing })
  if (!context.account?.isConnected) return refuse({ reason: 'not-connected' })
  const pausedUntil = plausibleEnd(context.account.pausedUntil, context.now)
  if (pausedUntil !== null && pausedUntil > context.now) return refuse({ reason: 'account-paused', until: pausedUntil })
  if (!isWhatWasApproved(post, context.account.remoteId)) return refuse({ reason: 'not-what-was-approved' })
  const { attemptId, until } = command
  return [{ type: 'PostClaimed', data: { attemptId, number: post.attempts + 1, until } }]
}

/** An approval given before any profile was connected is valid for the first one; otherwise the profile must match. */
function isWhatWasApproved(post: Post, remoteId: string | null): boolean {
  if (!post.approval) return false
  const remoteAccountId = post.approval.remoteAccountId === null ? null : remoteId
  const { content, imageUrl, image } = post
  return approvalHash({ content, imageUrl, image, remoteAccountId }) === post.approval.hash
}

type Outcome = Of<
  'RecordPrepared' | 'ConfirmPublished' | 'RecordPublishingRejected' | 'RecordPublishingFailed' | 'RecordOutcomeUnknown'
>

/** Records an attempt's outcome, even if the post was deleted meanwhile. */
export function outcome(post: Post, command: Outcome): PostDecision {
  switch (command.type) {
    case 'RecordPrepared': {
      const { attemptId, media } = command
      if (!isClaimed(post, attemptId)) return refuse({ reason: 'attempt-over' })
      if (JSON.stringify(post.prepared) === JSON.stringify(media)) return []
      return [{ type: 'PublishingPrepared', data: { attemptId, media: [...media] } }]
    }
    case 'ConfirmPublished': {
      const { attemptId, remoteId, url } = command
      if (post.status === 'published' && post.attemptId === attemptId) return []
      if (!isOpen(post, attemptId)) return refuse({ reason: 'attempt-over' })
      return [{ type: 'PostPublished', data: { attemptId, remoteId, url, known: 'answer' } }]
    }
    case 'RecordPublishingRejected': {
      const { attemptId, cause, remedy, retryAt } = command
      if (post.delivery === 'rejected' && post.attemptId === attemptId) return []
      if (!isClaimed(post, attemptId)) return refuse({ reason: 'attempt-over' })
      return [{ type: 'PublishingRejected', data: { attemptId, cause, remedy, retryAt } }]
    }
    case 'RecordPublishingFailed': {
      const { attemptId, cause, remedy } = command
      if (post.delivery === 'failed' && post.attemptId === attemptId) return []
      if (!isClaimed(post, attemptId)) return refuse({ reason: 'attempt-over' })
      return [{ type: 'PublishingFailed', data: { attemptId, cause, remedy } }]
    }
    case 'RecordOutcomeUnknown': {
      const { attemptId, cause } = command
      if (post.delivery === 'unknown' && post.attemptId === attemptId) return []
      if (!isClaimed(post, attemptId)) return refuse({ reason: 'attempt-over' })
      return [{ type: 'PublishingOutcomeUnknown', data: { attemptId, cause } }]
    }
  }
}

const isClaimed = (post: Post, attemptId: string) => post.delivery === 'claimed' && post.attemptId === attemptId
/** An answer that arrives after the attempt became unknown still settles it. */
const isOpen = (post: Post, attemptId: string) =>
  post.attemptId === attemptId && (post.delivery === 'claimed' || post.delivery === 'unknown')

/** Without a time, a release keeps the planned one while it is ahead; a retry is for now. */
function timeFor(post: Post, { type, scheduledFor }: Of<'RetryPost' | 'ReleasePost'>, now: Instant): Instant {
  if (scheduledFor !== null) return scheduledFor
  const isPlanned = type === 'ReleasePost' && may('reschedule', post) && post.scheduledFor !== null
  return isPlanned && post.scheduledFor > now ? post.scheduledFor : now
}

type Resolution = Of<'ResolveAsLive' | 'ResolveAsNotLive' | 'RetryPost' | 'ReleasePost'>

/** A user's or look-up's resolution of a post with an unknown outcome. */
export function resolve(post: Post, command: Resolution, context: PostContext): PostDecision {
  const { attemptId } = post
  switch (command.type) {
    case 'ResolveAsLive': {
      const isNamed = command.attemptId === null || command.attemptId === attemptId
      if (post.status === 'published' && post.url === command.url && isNamed) return []
      if (!may('resolve', post) || attemptId === null) return wrongState('resolve', post)
      if (!isNamed) return refuse({ reason: 'attempt-over' })
      return [
        { type: 'PostPublished', data: { attemptId, remoteId: command.remoteId, url: command.url, known: 'found' } },
      ]
    }
    case 'ResolveAsNotLive':
      if (post.delivery === 'none' && post.status !== 'published' && attemptId === command.attemptId) return []
      if (!may('resolve', post) || attemptId === null) return wrongState('resolve', post)
      // A late answer about an earlier attempt proves nothing about this one, which may be live.
      if (attemptId !== command.attemptId) return refuse({ reason: 'attempt-over' })
      return [{ type: 'PostFoundAbsent', data: { attemptId } }]
    case 'RetryPost':
    case 'ReleasePost': {
      const ability = command.type === 'RetryPost' ? 'retry' : 'release'
      const scheduledFor = timeFor(post, command, context.now)
      if (post.delivery === 'none' && post.scheduledFor === scheduledFor) return []
      if (!may(ability, post)) return wrongState(ability, post)
      if (context.standing !== 'good') return refuse({ reason: 'subscription-needed', standing: context.standing })
      if (scheduledFor < context.now) return refuse({ reason: 'scheduled-in-the-past' })
      // A release after the client's hold approves the post again.
      const own = post.isHeldByClient ? refusedOwn(post, context) : null
      if (own) return own
      const beyond = refusedTime(post, scheduledFor)
      if (beyond && ability === 'release' && command.scheduledFor === null)
        return refuse({ reason: 'agreed-time-passed' })
      if (beyond) return beyond
      return [{ type: command.type === 'RetryPost' ? 'PostRetried' : 'PostReleased', data: { scheduledFor } }]
    }
  }
}

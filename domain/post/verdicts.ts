/** The verdicts of a client's people, who act by a review link and without an account. */
import { openStep, type ApprovalRound } from '../core/approval-round.ts'
import { refuse } from '../core/decider.ts'
import { isOwn } from './rights.ts'
import { wrongState, type Of, type PostContext, type PostDecision } from './rules.ts'
import type { Post } from './state.ts'
import { may } from './state-table.ts'
import { boundNow, settle } from './steps.ts'

/** The client's verdict, by a review link. Without an open step of the client, an approval is recorded alone. */
export function giveVerdict(post: Post, command: Of<'GiveVerdict'>, context: PostContext): PostDecision {
  const { verdict, seenHash, seenVersion, reviewerId, linkId, verified, noteId, noteDigest } = command
  const version = post.review?.version ?? 0
  const { round } = post
  const step = round && post.status === 'pending' ? openStep(round) : null
  const last = post.review?.verdicts.find((known) => known.reviewerId === reviewerId)
  // An approval from before the client's step was open is given again.
  const isGivenAgain = verdict === 'approve' && step?.who.kind === 'client'
  // A draft that is scheduled directly has another text in the same version.
  const isSame = last?.verdict === verdict && last.hash === seenHash && seenVersion === version
  if (isSame && !isGivenAgain) return []
  const ability = verdict === 'approve' ? 'approve' : 'reject'
  const isReviewable = post.status === 'pending' || (verdict === 'approve' && may('reschedule', post))
  if (!isReviewable) return wrongState(ability, post)
  const hash = boundNow(post, context)
  if (seenVersion !== version || seenHash !== hash) return refuse({ reason: 'version-changed' })
  if (!last && (post.review?.verdicts.length ?? 0) >= maxVerdicts) return refuse({ reason: 'too-many-verdicts' })
  const reviewed = { reviewerId, linkId, version, verified, noteId, noteDigest }
  const record = { type: 'PostReviewed', data: { ...reviewed, verdict, approvalHash: hash } } as const
  if (verdict === 'changes') return [record, { type: 'PostRejected', data: { reason: null } }]
  if (context.standing !== 'good') return refuse({ reason: 'approvals-paused' })
  if (!round || step?.who.kind !== 'client') return [record]
  return (
    refusedReviewer(post, round, command, context) ??
    settle(post, round, true, context, (next) => ({
      type: 'PostSignedOff',
      data: { ...reviewed, stepId: step.id, approvalHash: hash, ...next },
    }))
  )
}

/** The most reviewers who judge one version. */
export const maxVerdicts = 100

/** Where authors can't approve their own posts, they must not pose as the client either. */
function refusedReviewer(
  post: Post,
  { policy }: ApprovalRound,
  { verified, enteredBy }: Of<'GiveVerdict'>,
  { acting }: PostContext,
): PostDecision | null {
  if (acting.mayApproveOwn && policy.ownApproval === 'agency') return null
  if (verified !== 'code') return refuse({ reason: 'code-needed' })
  return enteredBy === null || isOwn(post, enteredBy) ? refuse({ reason: 'contact-of-author' }) : null
}

/** The client holds an approved or scheduled post, at any time before its publishing begins. */
export function holdByReviewer(post: Post, command: Of<'HoldByReviewer'>): PostDecision {
  if (post.isHeldByClient) return []
  if (!may('reschedule', post)) return wrongState('hold', post)
  const { reviewerId, linkId, verified, noteId, noteDigest } = command
  const review = { reviewerId, linkId, version: post.review?.version ?? 0, verified, noteId, noteDigest }
  return [{ type: 'PostHeld', data: { because: 'client-asked', review } }]
}

/** The rules of a post's approval steps: whose approval the open step needs, and what follows it. */
import { afterStep, begunRound } from '../core/approval-round-fold.ts'
import {
  escalatedUsers,
  hasApproved,
  isBeyondAgreed,
  isSettled,
  openStep,
  ownWaitsFor,
  usersOf,
  type ApprovalRound,
  type Approvals,
} from '../core/approval-round.ts'
import { refuse } from '../core/decider.ts'
import type { Instant } from '../core/event.ts'
import { approvalHash } from './approval.ts'
import type { PostEvent } from './events.ts'
import { bind, blocked, imageOf, newlyStored } from './readiness.ts'
import { mayApprove, type Authors } from './rights.ts'
import { wrongState, type Of, type PostContext, type PostDecision } from './rules.ts'
import type { Post } from './state.ts'
import { may } from './state-table.ts'

/** Submits a post under a copy of its client's policy: a later change of the policy touches nothing under way. */
export function submission(post: Authors, policy: Approvals['policy'], context: PostContext): PostEvent {
  if (!policy) return { type: 'PostSubmitted', data: {} }
  const counted = countedFor(begunRound(policy, undefined), post, context)
  return { type: 'PostSubmitted', data: { policy, ...counted } }
}

/** Those whose approvals the round's open step needs, as it opens: nothing where one approval is enough. */
function countedFor(round: ApprovalRound, post: Authors, { approvals, acting }: PostContext): { counted?: string[] } {
  const step = openStep(round)
  if (step?.need !== 'all') return {}
  return { counted: usersOf(step, approvals.approvers).filter(mayApprove(post, round, acting.mayApproveOwn)) }
}

export function approveStep(post: Post, round: ApprovalRound, stepId: string | undefined, context: PostContext) {
  if (stepId !== undefined && isSettled(round, stepId)) return []
  const step = openStep(round)
  if (!step || step.id !== stepId) return refuse({ reason: 'step-over' } as const)
  const { userId, mayApproveOwn } = context.acting
  if (userId === null) return refuse({ reason: 'not-your-step' } as const)
  const may = mayApprove(post, round, mayApproveOwn)
  if (!may(userId)) return refuse({ reason: 'own-post' } as const)
  const { approvers } = context.approvals
  const own = ownWaitsFor(round, approvers, may)
  const isEscalated = escalatedUsers(round, approvers, may).includes(userId)
  if (!isEscalated && !own.includes(userId))
    return hasApproved(round, stepId, userId) ? [] : refuse({ reason: 'not-your-step' } as const)
  const settles = step.need === 'any' || isEscalated || own.length === 1 || hasApproved(round, stepId, userId)
  return settle(post, round, settles, context, (next) => ({
    type: 'PostStepApproved',
    data: { stepId, approvalHash: boundNow(post, context), settles, ...next },
  }))
}

/** An owner or admin skips a step, with a reason: its people are away, or there are none left. */
export function skipStep(post: Post, { stepId, reason }: Of<'SkipStep'>, context: PostContext): PostDecision {
  const { round } = post
  if (round && isSettled(round, stepId)) return []
  if (!round || !may('skip-step', post)) return wrongState('skip-step', post)
  if (openStep(round)?.id !== stepId) return refuse({ reason: 'step-over' })
  const { userId, mayApproveOwn, maySkip = false } = context.acting
  if (!maySkip || userId === null) return refuse({ reason: 'right-missing' })
  if (!mayApprove(post, round, mayApproveOwn)(userId)) return refuse({ reason: 'own-post' })
  return settle(post, round, true, context, (next) => ({ type: 'PostStepSkipped', data: { stepId, reason, ...next } }))
}

/** An owner or admin gives a step to other people, of this post only: its own are away, or there are none left. */
export function reassignStep(
  post: Post,
  { stepId, memberIds, reason }: Of<'ReassignStep'>,
  context: PostContext,
): PostDecision {
  const { round } = post
  if (!round || !may('reassign-step', post)) return wrongState('reassign-step', post)
  const step = openStep(round)
  if (!step || step.id !== stepId) return refuse({ reason: 'step-over' })
  const { userId, mayApproveOwn, maySkip = false } = context.acting
  if (!maySkip || userId === null) return refuse({ reason: 'right-missing' })
  const isFit = mayApprove(post, round, mayApproveOwn)
  if (!isFit(userId)) return refuse({ reason: 'own-post' })
  if (step.who.kind === 'client') return refuse({ reason: 'step-of-client' })
  if (step.who.kind === 'members' && isSameSet(step.who.memberIds, memberIds)) return []
  const people = memberIds.map((id) => context.approvals.approvers.find(({ memberId }) => memberId === id)?.userId)
  if (people.includes(undefined)) return refuse({ reason: 'approver-unfit' })
  if (!people.every((person) => person !== undefined && isFit(person))) return refuse({ reason: 'approver-is-author' })
  if (context.standing !== 'good') return refuse({ reason: 'subscription-needed', standing: context.standing })
  const given: PostEvent = { type: 'PostStepReassigned', data: { stepId, memberIds: [...memberIds], reason } }
  return [{ ...given, data: { ...given.data, ...countedFor(afterStep(round, given), post, context) } }]
}

const isSameSet = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((id) => others.includes(id))

/** Records an approved or skipped step; the last one approves the post in the same append. */
export function settle(
  post: Post,
  round: ApprovalRound,
  settles: boolean,
  context: PostContext,
  event: (next: { counted?: string[] }) => PostEvent,
): PostDecision {
  const { scheduledFor } = post
  const isAhead = scheduledFor !== null && scheduledFor > context.now
  if (round.policy.timePart.kind === 'bound' && scheduledFor !== null && !isAhead)
    return refuse({ reason: 'agreed-time-passed' })
  if (!isAsAgreed(post, context)) return refuse({ reason: 'not-what-was-approved' })
  const time = isAhead ? scheduledFor : context.freeSlot
  const refusal = blocked(post, time, context)
  if (refusal) return refusal
  const stored = newlyStored(post, context)
  const next = { ...round, settled: round.settled + 1 }
  if (!settles) return [...stored, event({})]
  if (openStep(next)) return [...stored, event(countedFor(next, post, context))]
  return [...stored, event({}), { type: 'PostApproved', data: bind(post, time, context) }]
}

/** The hash of what the post has now. */
export const boundNow = (post: Post, context: PostContext): string =>
  bind(post, post.scheduledFor ?? context.now, context).approvalHash

/** Whether each step was approved for what the post has now; one from before a profile was connected fits the first. */
export function isAsAgreed(post: Post, context: PostContext): boolean {
  if (!post.round) return true
  const { content, imageUrl } = post
  const image = imageUrl === null ? null : imageOf(post, context)
  const fitting = new Set(
    [context.account?.remoteId ?? null, null].map((remoteAccountId) =>
      approvalHash({ content, imageUrl, image, remoteAccountId }),
    ),
  )
  return post.round.approvals.every(({ hash }) => fitting.has(hash))
}

/** Refuses a time further from the agreed one than the policy allows, where the post can't be approved anew. */
export const refusedTime = ({ round }: Post, time: Instant) =>
  round && isBeyondAgreed(round, time) ? refuse({ reason: 'beyond-agreed-time' } as const) : null

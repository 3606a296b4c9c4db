/** How the events of a post change its round of approvals, for the post itself and for each view of posts. */
import type { ApprovalPolicy, ApproverRole } from './approval-policy.ts'
import type { ApprovalRound } from './approval-round.ts'
import { timeOf, userOf, type Instant } from './event.ts'

interface OfStep {
  readonly stepId: string
}
interface Opening extends OfStep {
  /** The users whose approvals the step that opens needs, where it needs all. */
  readonly counted?: readonly string[] | undefined
}

/** Those of the post's events that change its steps. */
export type StepEvent =
  | {
      readonly type: 'PostStepApproved'
      readonly data: Opening & { readonly approvalHash: string; readonly settles: boolean }
    }
  | {
      readonly type: 'PostSignedOff'
      readonly data: Opening & { readonly approvalHash: string; readonly reviewerId: string }
    }
  | { readonly type: 'PostStepSkipped'; readonly data: Opening }
  | {
      readonly type: 'PostStepReminded'
      readonly data: OfStep & { readonly number: number; readonly unreached?: true | undefined }
    }
  | { readonly type: 'PostStepEscalated'; readonly data: OfStep & { readonly to: ApproverRole } }
  | { readonly type: 'PostStepReassigned'; readonly data: Opening & { readonly memberIds: readonly string[] } }

export const begunRound = (
  policy: ApprovalPolicy,
  counted: readonly string[] | undefined,
  at: Instant | null = null,
): ApprovalRound => ({
  policy,
  settled: 0,
  approvals: [],
  skipped: [],
  counted: listed(counted),
  agreedFor: null,
  ...begunReminders(policy, 0, at),
})

/** An earlier event has none, and neither has a policy without hours. */
const begunReminders = ({ remindAfterHours = [] }: ApprovalPolicy, opening: number, at: Instant | null) =>
  remindAfterHours.length > 0 && at !== null
    ? { reminders: { opening, openedAt: at, number: 0, times: 0, lastAt: null } }
    : {}

/** Of a submission; null without a policy. */
export function submittedRound(event: {
  readonly data: { readonly policy?: ApprovalPolicy | undefined; readonly counted?: readonly string[] | undefined }
}): ApprovalRound | null {
  const { policy, counted } = event.data
  return policy ? begunRound(policy, counted, timeOf(event)) : null
}

/** Of a document: null stays null. */
export const steppedRound = (post: { readonly round: ApprovalRound | null } | null, event: StepEvent) =>
  post?.round ? afterStep(post.round, event) : null

export function afterStep(round: ApprovalRound, event: StepEvent): ApprovalRound {
  const { stepId } = event.data
  const at = timeOf(event)
  switch (event.type) {
    case 'PostStepApproved': {
      const approval = { stepId, userId: userOf(event), hash: event.data.approvalHash }
      const next = { ...round, approvals: [...round.approvals, approval] }
      return event.data.settles ? settled(next, event.data.counted, at) : next
    }
    case 'PostSignedOff': {
      const { approvalHash, reviewerId, counted } = event.data
      const approval = { stepId, userId: null, hash: approvalHash, reviewerId }
      return settled({ ...round, approvals: [...round.approvals, approval] }, counted, at)
    }
    case 'PostStepSkipped':
      return settled({ ...round, skipped: [...round.skipped, stepId] }, event.data.counted, at)
    case 'PostStepReassigned': {
      const others = (round.reassigned ?? []).filter((known) => known.stepId !== stepId)
      const reassigned = [...others, { stepId, memberIds: [...event.data.memberIds] }]
      const escalated = round.escalated?.filter((known) => known.stepId !== stepId)
      const next = { ...round, reassigned, counted: listed(event.data.counted), ...(escalated && { escalated }) }
      return { ...next, ...reopened(round, at) }
    }
    case 'PostStepReminded': {
      const { reminders } = round
      if (!reminders) return round
      const { number, unreached } = event.data
      const sent = unreached ? {} : { times: reminders.times + 1, lastAt: at }
      return { ...round, reminders: { ...reminders, number, ...sent } }
    }
    case 'PostStepEscalated':
      return { ...round, escalated: [...(round.escalated ?? []), { stepId, to: event.data.to }] }
  }
}

const settled = (round: ApprovalRound, counted: readonly string[] | undefined, at: Instant | null): ApprovalRound => ({
  ...round,
  settled: round.settled + 1,
  counted: listed(counted),
  ...reopened(round, at),
})

/** Reminders of a step that opens begin anew, as those of one with other people do. */
const reopened = ({ policy, reminders }: ApprovalRound, at: Instant | null) =>
  reminders ? begunReminders(policy, reminders.opening + 1, at) : {}

const listed = (counted: readonly string[] | undefined): string[] | null =>
  counted === undefined ? null : [...counted]

/** Publishing now approves a post again; the time that the steps agreed on stays. */
export const afterAgreement = (round: ApprovalRound, scheduledFor: Instant): ApprovalRound => ({
  ...round,
  agreedFor: round.agreedFor ?? scheduledFor,
})

/** A document's time and steps after an approval of the whole post. */
export const agreedOn = (
  post: { readonly round: ApprovalRound | null } | null,
  { scheduledFor }: { readonly scheduledFor: Instant },
) => ({ scheduledFor, round: post?.round ? afterAgreement(post.round, scheduledFor) : null })

/** How the events of a post change its round of approvals, for the post itself and for each view of posts. */
import type { ApprovalPolicy } from './approval-policy.ts'
import type { ApprovalRound } from './approval-round.ts'
import { userOf, type Instant } from './event.ts'

interface Opening {
  readonly stepId: string
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
  | { readonly type: 'PostStepReassigned'; readonly data: Opening & { readonly memberIds: readonly string[] } }

export const begunRound = (policy: ApprovalPolicy, counted: readonly string[] | undefined): ApprovalRound => ({
  policy,
  settled: 0,
  approvals: [],
  skipped: [],
  counted: listed(counted),
  agreedFor: null,
})

/** Of a submission; null without a policy. */
export const submittedRound = ({
  data: { policy, counted },
}: {
  readonly data: { readonly policy?: ApprovalPolicy | undefined; readonly counted?: readonly string[] | undefined }
}): ApprovalRound | null => (policy ? begunRound(policy, counted) : null)

/** Of a document: null stays null. */
export const steppedRound = (post: { readonly round: ApprovalRound | null } | null, event: StepEvent) =>
  post?.round ? afterStep(post.round, event) : null

export function afterStep(round: ApprovalRound, event: StepEvent): ApprovalRound {
  const { stepId, counted } = event.data
  switch (event.type) {
    case 'PostStepApproved': {
      const approval = { stepId, userId: userOf(event), hash: event.data.approvalHash }
      const next = { ...round, approvals: [...round.approvals, approval] }
      return event.data.settles ? settled(next, counted) : next
    }
    case 'PostSignedOff': {
      const { approvalHash, reviewerId } = event.data
      const approval = { stepId, userId: null, hash: approvalHash, reviewerId }
      return settled({ ...round, approvals: [...round.approvals, approval] }, counted)
    }
    case 'PostStepSkipped':
      return settled({ ...round, skipped: [...round.skipped, stepId] }, counted)
    case 'PostStepReassigned': {
      const others = (round.reassigned ?? []).filter((known) => known.stepId !== stepId)
      const reassigned = [...others, { stepId, memberIds: [...event.data.memberIds] }]
      return { ...round, reassigned, counted: listed(counted) }
    }
  }
}

const settled = (round: ApprovalRound, counted: readonly string[] | undefined): ApprovalRound => ({
  ...round,
  settled: round.settled + 1,
  counted: listed(counted),
})

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

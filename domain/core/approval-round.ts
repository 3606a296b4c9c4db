/** One round of approvals: the steps of a submitted post, under a copy of its client's policy. */
import { z } from 'zod'
import type { Instant } from './event.ts'
import { storedPolicySchema, type ApprovalPolicy, type ApprovalStep, type ApproverRole } from './approval-policy.ts'

export const approvalRoundSchema = z.object({
  policy: storedPolicySchema,
  /** The number of steps that are approved or skipped; the next one is open. */
  settled: z.int(),
  /** A process approves no step, so that the user is known in every stored event. */
  approvals: z.array(
    z.object({
      stepId: z.string(),
      userId: z.string().nullable(),
      hash: z.string(),
      /** Of the client, who approved it by a review link; `userId` is null then. */
      reviewerId: z.string().optional(),
    }),
  ),
  skipped: z.array(z.string()),
  /** The users whose approvals the open step needs, where it needs all; else null. */
  counted: z.array(z.string()).nullable(),
  /** The time of the post when its last step was approved. */
  agreedFor: z.string().nullable(),
})
export type ApprovalRound = z.infer<typeof approvalRoundSchema>

/** A member who approves posts of the client. */
export interface Approver {
  readonly memberId: string
  readonly userId: string
  readonly role: ApproverRole
}

/** A client's policy, and the people who approve its posts now. */
export interface Approvals {
  /** Null: none, so a post is approved at once. */
  readonly policy: ApprovalPolicy | null
  readonly approvers: readonly Approver[]
}

export const noApprovals: Approvals = { policy: null, approvers: [] }

export const begunRound = (policy: ApprovalPolicy, counted: readonly string[] | undefined): ApprovalRound => ({
  policy,
  settled: 0,
  approvals: [],
  skipped: [],
  counted: counted === undefined ? null : [...counted],
  agreedFor: null,
})

export function afterApproval(
  round: ApprovalRound,
  data: {
    readonly stepId: string
    readonly approvalHash: string
    readonly settles: boolean
    readonly counted?: readonly string[] | undefined
  },
  userId: string | null,
): ApprovalRound {
  const approvals = [...round.approvals, { stepId: data.stepId, userId, hash: data.approvalHash }]
  return data.settles ? settled({ ...round, approvals }, data.counted) : { ...round, approvals }
}

/** The client's approval of its step. */
export const afterSignOff = (
  round: ApprovalRound,
  data: {
    readonly stepId: string
    readonly approvalHash: string
    readonly reviewerId: string
    readonly counted?: readonly string[] | undefined
  },
): ApprovalRound =>
  settled(
    {
      ...round,
      approvals: [
        ...round.approvals,
        { stepId: data.stepId, userId: null, hash: data.approvalHash, reviewerId: data.reviewerId },
      ],
    },
    data.counted,
  )

export const afterSkip = (
  round: ApprovalRound,
  { stepId, counted }: { readonly stepId: string; readonly counted?: readonly string[] | undefined },
): ApprovalRound => settled({ ...round, skipped: [...round.skipped, stepId] }, counted)

const settled = (round: ApprovalRound, counted: readonly string[] | undefined): ApprovalRound => ({
  ...round,
  settled: round.settled + 1,
  counted: counted === undefined ? null : [...counted],
})

/** Publishing now approves a post again; the time that the steps agreed on stays. */
export const afterAgreement = (round: ApprovalRound, scheduledFor: Instant): ApprovalRound => ({
  ...round,
  agreedFor: round.agreedFor ?? scheduledFor,
})

/** Of a submission; null without a policy. */
export const submittedRound = ({
  policy,
  counted,
}: {
  readonly policy?: ApprovalPolicy | undefined
  readonly counted?: readonly string[] | undefined
}): ApprovalRound | null => (policy ? begunRound(policy, counted) : null)

/** A document's time and steps after an approval of the whole post. */
export const agreedOn = (
  post: { readonly round: ApprovalRound | null } | null,
  { scheduledFor }: { readonly scheduledFor: Instant },
) => ({ scheduledFor, round: post?.round ? afterAgreement(post.round, scheduledFor) : null })

export const openStep = ({ policy, settled }: ApprovalRound): ApprovalStep | null => policy.steps[settled] ?? null
export const isSettled = ({ policy, settled }: ApprovalRound, stepId: string): boolean =>
  policy.steps.slice(0, settled).some(({ id }) => id === stepId)

/** The users of a step's people; none of the client's step. */
export const usersOf = ({ who }: ApprovalStep, approvers: readonly Approver[]): string[] =>
  approvers
    .filter(({ memberId, role }) =>
      who.kind === 'role' ? role === who.role : who.kind === 'members' && who.memberIds.includes(memberId),
    )
    .map(({ userId }) => userId)

/**
 * The users who may approve the open step now; none: the step has no approver left.
 * @param mayApprove false for an author whose own approval is refused
 */
export function waitsFor(
  round: ApprovalRound,
  approvers: readonly Approver[],
  mayApprove: (userId: string) => boolean,
): readonly string[] {
  const step = openStep(round)
  if (!step) return []
  const present = usersOf(step, approvers).filter(mayApprove)
  if (step.need === 'any') return present
  const counted = present.filter((userId) => round.counted?.includes(userId))
  const missing = counted.filter((userId) => !hasApproved(round, step.id, userId))
  // All who are left have approved, and the others were removed since: one of them confirms the step.
  return missing.length > 0 ? missing : counted
}

export const hasApproved = ({ approvals }: ApprovalRound, stepId: string, userId: string): boolean =>
  approvals.some((approval) => approval.stepId === stepId && approval.userId === userId)

/** Whether a time is further from the agreed one than the policy allows. */
export function isBeyondAgreed({ policy: { timePart }, agreedFor }: ApprovalRound, time: Instant): boolean {
  if (timePart.kind === 'free' || agreedFor === null) return false
  return Math.abs(Date.parse(time) - Date.parse(agreedFor)) > timePart.minutes * 60_000
}

/** One round of approvals: the steps of a submitted post, under a copy of its client's policy. */
import { z } from 'zod'
import type { Instant } from './event.ts'
import {
  approverRoles,
  storedPolicySchema,
  type ApprovalPolicy,
  type ApprovalStep,
  type ApproverRole,
} from './approval-policy.ts'

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
  /** Where the policy reminds: the letters of the step that is open. */
  reminders: z
    .object({
      /** How often a step was opened in this round, or given to other people: reminders begin anew. */
      opening: z.int(),
      openedAt: z.string(),
      /** Of the policy's hours: the last one that people were reminded at; 0: none yet. */
      number: z.int(),
      times: z.int(),
      lastAt: z.string().nullable(),
    })
    .optional(),
  /** The roles whose people may approve a step too, because its own were silent. */
  escalated: z.array(z.object({ stepId: z.string(), to: z.enum(approverRoles) })).optional(),
  /** Of the steps whose people were replaced for this post: the members who took their place. */
  reassigned: z.array(z.object({ stepId: z.string(), memberIds: z.array(z.string()) })).optional(),
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

/** The steps with the people of this post: those of the policy, or the members who took their place. */
export const stepsOf = ({ policy, reassigned = [] }: ApprovalRound): readonly ApprovalStep[] =>
  policy.steps.map((step) => {
    const memberIds = reassigned.find(({ stepId }) => stepId === step.id)?.memberIds
    return memberIds ? { ...step, who: { kind: 'members' as const, memberIds } } : step
  })

export const openStep = (round: ApprovalRound): ApprovalStep | null => stepsOf(round)[round.settled] ?? null
export const isClientsTurn = (round: ApprovalRound): boolean => openStep(round)?.who.kind === 'client'
/** Behind the open step. */
export const isClientsTurnAhead = (round: ApprovalRound): boolean =>
  stepsOf(round)
    .slice(round.settled + 1)
    .some(({ who }) => who.kind === 'client')
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
export const waitsFor = (
  round: ApprovalRound,
  approvers: readonly Approver[],
  mayApprove: (userId: string) => boolean,
): readonly string[] => [
  ...new Set([...ownWaitsFor(round, approvers, mayApprove), ...escalatedUsers(round, approvers, mayApprove)]),
]

/** The role that the open step was escalated to; the client's step stays the client's. */
export function escalatedRole(round: ApprovalRound): ApproverRole | null {
  const step = openStep(round)
  if (!step || step.who.kind === 'client') return null
  return round.escalated?.find(({ stepId }) => stepId === step.id)?.to ?? null
}

/** The users who may approve the open step because its own people were silent: the approval of one settles it. */
export function escalatedUsers(
  round: ApprovalRound,
  approvers: readonly Approver[],
  mayApprove: (userId: string) => boolean,
): readonly string[] {
  const to = escalatedRole(round)
  return approvers.flatMap(({ userId, role }) => (role === to && mayApprove(userId) ? [userId] : []))
}

/** Those of the step's own people whose approval it waits for. */
export function ownWaitsFor(
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

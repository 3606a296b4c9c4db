/** The commands of a post. */
import { z } from 'zod'
import { maxContentUnits } from '../core/content-limits.ts'
import { notBlank } from '../core/documented.ts'
import { hasVisible } from '../core/visible.ts'
import type { Generated } from '../core/provenance.ts'
import { isStorable, storedInstant, webUrlOrNothingSchema, type Platform } from '../core/values.ts'

export const postStatuses = ['draft', 'pending', 'approved', 'scheduled', 'published', 'rejected'] as const
export const postStatusSchema = z.enum(postStatuses)
export type PostStatus = z.infer<typeof postStatusSchema>

/** What a new post can be at once. */
export const firstStatuses = ['draft', 'pending', 'scheduled'] as const satisfies readonly PostStatus[]
export type FirstStatus = (typeof firstStatuses)[number]

/** The delivery state, beside the status. */
export const deliveries = ['none', 'claimed', 'rejected', 'unknown', 'held', 'failed'] as const
export const deliverySchema = z.enum(deliveries)
export type Delivery = z.infer<typeof deliverySchema>

export const holdReasons = [
  'overdue',
  'subscription-needed',
  'not-connected',
  'changed-account',
  'client-asked',
] as const
export type HoldReason = (typeof holdReasons)[number]
/** Of the publisher: the others are asked for by people. */
export type PublisherHoldReason = Exclude<HoldReason, 'client-asked'>

export const verdicts = ['approve', 'changes'] as const
export type Verdict = (typeof verdicts)[number]
/** `code`: the reviewer proved by a mailed code who acts; `named`: the reviewer's word alone. */
export const verifications = ['code', 'named'] as const

/** The remedy after a rejection: retry unchanged; connect again; change the post; look at the profile first. */
export const remedies = ['wait', 'reconnect', 'edit', 'check'] as const
export type Remedy = (typeof remedies)[number]

/** The longest text of any post. A post's own limit depends on its network: see `contentLimits`. */
export const contentSchema = z
  .string()
  .max(maxContentUnits, `Content must be ${maxContentUnits.toLocaleString('en-US')} characters or fewer`)
  .refine(hasVisible, 'Content must not be empty')
  .refine(
    isStorable,
    "Content has an invisible character that can't be stored. Paste it as plain text, or type it again",
  )
  .meta({ ...notBlank, examples: ['Autumn breads are back. Which one is yours?'] })

export const imageUrlSchema = webUrlOrNothingSchema.optional().transform((url) => url ?? null)

export const rejectReasonSchema = z
  .string()
  .trim()
  .max(500, 'A reason has at most 500 characters')
  .meta({ examples: ['Please name the opening hours.'] })
  .optional()
  .transform((reason) => reason || null)

/** A post's figures on its network; null where the network doesn't offer the figure. */
export interface Totals {
  readonly views: number | null
  readonly likes: number | null
  readonly comments: number | null
  readonly shares: number | null
}

/**
 * The slot of a posting schedule that a post was written for; `revision` counts the changes of the schedule's rules.
 */
export const planSchema = z.strictObject({ scheduleId: z.string(), revision: z.int(), slot: storedInstant })
export type Plan = z.infer<typeof planSchema>

/** Why a post is deleted: a user asked, or it was deleted together with something else. */
export const deletionCauses = ['asked', 'client-removed', 'schedule-changed', 'schedule-removed'] as const
export type DeletionCause = (typeof deletionCauses)[number]

/** The words of a note are in records; events have a salted digest of them. */
interface ByReviewer {
  readonly reviewerId: string
  readonly linkId: string
  readonly verified: (typeof verifications)[number]
  readonly noteId: string | null
  readonly noteDigest: string | null
}

interface Attempt {
  readonly attemptId: string
}

export type PostCommand =
  | {
      readonly type: 'WritePost'
      readonly postId: string
      readonly clientId: string
      readonly accountId: string
      readonly platform: Platform
      readonly content: string
      readonly imageUrl: string | null
      readonly scheduledFor: string | null
      /** `pending` submits it for review at once; `scheduled` gives it `scheduledFor`, or the next free slot. */
      readonly as: FirstStatus
      /** Null for a user's own text. */
      readonly generation: Generated | null
      /** Null for a post without a posting schedule. */
      readonly plan: Plan | null
      /** Of posts that were written in one request, for several accounts. */
      readonly groupId?: string
      /** Present for a row of an imported file. */
      readonly imported?: true
    }
  | { readonly type: 'ReviseContent'; readonly content: string; readonly generation: Generated | null }
  | { readonly type: 'ReplaceImage'; readonly imageUrl: string | null }
  | { readonly type: 'PlanPost'; readonly scheduledFor: string }
  | { readonly type: 'SubmitPost' }
  /** Of a post under a policy, an approval of the named step. */
  | { readonly type: 'ApprovePost'; readonly stepId?: string }
  | { readonly type: 'SkipStep'; readonly stepId: string; readonly reason: string }
  | {
      readonly type: 'ReassignStep'
      readonly stepId: string
      readonly memberIds: readonly string[]
      readonly reason: string
    }
  /** Of the open step's people, at one of the policy's hours: their letters are in the outbox. */
  | {
      readonly type: 'RemindOfStep'
      readonly stepId: string
      /** The submission and the opening that the letters are about. */
      readonly version: number
      readonly opening: number
      /** Of the policy's hours, from 1 on. */
      readonly number: number
      /** There was no one to send a letter to. */
      readonly unreached?: true
    }
  | { readonly type: 'RejectPost'; readonly reason: string | null }
  | { readonly type: 'SchedulePost'; readonly scheduledFor: string | null }
  /** Approves the post for this moment: the publisher takes it at once. */
  | { readonly type: 'PublishPostNow' }
  | { readonly type: 'ReschedulePost'; readonly scheduledFor: string }
  | { readonly type: 'ReturnPostToDraft' }
  /** Of a comment: returns, revises and submits the post at once. */
  | { readonly type: 'TakeOverSuggestion'; readonly content: string }
  /** Null: the post is unassigned. */
  | { readonly type: 'AssignPost'; readonly memberId: string | null }
  | ({
      readonly type: 'ClaimPost'
      /** When the attempt expires. */ readonly until: string
    } & Attempt)
  | ({
      readonly type: 'RecordPrepared'
      /** The ids of media or containers prepared for the attempt. */ readonly media: readonly string[]
    } & Attempt)
  | ({ readonly type: 'ConfirmPublished'; readonly remoteId: string; readonly url: string | null } & Attempt)
  | ({
      readonly type: 'RecordPublishingRejected'
      readonly cause: string
      readonly remedy: Remedy
      readonly retryAt: string
    } & Attempt)
  | ({ readonly type: 'RecordOutcomeUnknown'; readonly cause: string } & Attempt)
  | ({ readonly type: 'RecordPublishingFailed'; readonly cause: string; readonly remedy: Remedy } & Attempt)
  | { readonly type: 'HoldPost'; readonly because: PublisherHoldReason }
  | ({
      readonly type: 'GiveVerdict'
      readonly verdict: Verdict
      /** What the reviewer saw: another hash or version since is refused. */
      readonly seenHash: string
      readonly seenVersion: number
      /** The user who entered the contact of the link; null for a link for everyone. */
      readonly enteredBy: string | null
    } & ByReviewer)
  /** Stays on hold until a member releases it. */
  | ({ readonly type: 'HoldByReviewer' } & ByReviewer)
  | {
      readonly type: 'ResolveAsLive'
      /** Null: the current attempt, whichever it is. A post that counts as live is not sent again. */
      readonly attemptId: string | null
      readonly url: string | null
      readonly remoteId: string | null
    }
  /** Lets the post be sent again, so it must name the attempt that was looked for. */
  | ({ readonly type: 'ResolveAsNotLive' } & Attempt)
  | { readonly type: 'RetryPost'; readonly scheduledFor: string | null }
  | { readonly type: 'ReleasePost'; readonly scheduledFor: string | null }
  | {
      readonly type: 'RecordMetrics'
      /** 0 for the first reading. */ readonly reading: number
      readonly totals: Totals
    }
  | { readonly type: 'DeletePost'; readonly because: DeletionCause }
  /** Deletes a post that its posting schedule no longer wants, unless a user has acted on it. */
  | { readonly type: 'WithdrawPost'; readonly because: Extract<DeletionCause, 'schedule-changed' | 'schedule-removed'> }

import { z } from 'zod'
import { approverRoles, storedPolicySchema } from '../core/approval-policy.ts'
import type { FactOf } from '../core/history.ts'
import { provenanceSchema } from '../core/provenance.ts'
import { platformSchema, storedImageSchema, storedInstant } from '../core/values.ts'
import {
  deletionCauses,
  holdReasons,
  planSchema,
  postStatusSchema,
  remedies,
  verdicts,
  verifications,
} from './commands.ts'

const figure = z.int().nullable()
const totals = z.strictObject({ views: figure, likes: figure, comments: figure, shares: figure })
/** The difference to the last reading; 0 for a figure that the network doesn't offer. */
const figures = z.strictObject({
  views: z.int(),
  likes: z.int(),
  comments: z.int(),
  shares: z.int(),
  engagement: z.int(),
})
const approved = { scheduledFor: storedInstant, approvalHash: z.string(), remoteAccountId: z.string().nullable() }
/** The generation of the text. Its provenance is stored here too, so that a post's history needs no other stream. */
const generated = { generationId: z.string().nullable(), provenance: provenanceSchema.optional() }
/** The users whose approvals the step that opens needs, where it needs all. */
const counted = z.array(z.string()).optional()
const attempt = { attemptId: z.string() }
const reviewed = {
  reviewerId: z.string(),
  linkId: z.string(),
  /** The number of the submission that was reviewed; 0: the post was never submitted. */
  version: z.int(),
  verified: z.enum(verifications),
  noteId: z.string().nullable(),
  noteDigest: z.string().nullable(),
}

/** Version 1 of `PostHeld`, from before clients could hold posts. */
export const heldV1 = z.strictObject({ because: z.enum(holdReasons).exclude(['client-asked']) })

export const postEvents = {
  PostWritten: z.strictObject({
    clientId: z.string(),
    accountId: z.string(),
    platform: platformSchema,
    content: z.string(),
    imageUrl: z.string().nullable(),
    scheduledFor: storedInstant.nullable(),
    ...generated,
    plan: planSchema.optional(),
    /** Posts written in one request for several accounts have the same. */
    groupId: z.string().optional(),
    /** Present for a row of an imported file. */
    imported: z.literal(true).optional(),
  }),
  PostContentRevised: z.strictObject({ content: z.string(), ...generated }),
  PostImageReplaced: z.strictObject({ imageUrl: z.string().nullable() }),
  /** The image behind the URL, fetched once: from then on these bytes are shown, approved and published. */
  PostImageStored: z.strictObject({ imageUrl: z.string(), image: storedImageSchema }),
  PostPlanned: z.strictObject({ scheduledFor: storedInstant }),
  /** With a copy of the client's approval policy, where it has steps. */
  PostSubmitted: z.strictObject({ policy: storedPolicySchema.optional(), counted }),
  /** `settles`: the step is done, and the next one opens. The last step's approval is followed by `PostApproved`. */
  PostStepApproved: z.strictObject({ stepId: z.string(), approvalHash: z.string(), settles: z.boolean(), counted }),
  PostStepSkipped: z.strictObject({ stepId: z.string(), reason: z.string(), counted }),
  /** The open step's people, in place of the policy's, for this post only. */
  PostStepReassigned: z.strictObject({
    stepId: z.string(),
    memberIds: z.array(z.string()),
    reason: z.string(),
    counted,
  }),
  /**
   * A letter to each of its people who has a confirmed address is in the outbox. `number`: which of the policy's hours
   * it was, from 1 on.
   */
  PostStepReminded: z.strictObject({
    stepId: z.string(),
    number: z.int(),
    /** No one has a confirmed address or a link: it took the hour's place, and no letter was sent. */
    unreached: z.literal(true).optional(),
  }),
  /** From now on the people with this role may approve the step too; the client's step stays the client's. */
  PostStepEscalated: z.strictObject({ stepId: z.string(), to: z.enum(approverRoles) }),
  /** The client's approval of its step, by a review link. The last step's is followed by `PostApproved`. */
  PostSignedOff: z.strictObject({ ...reviewed, stepId: z.string(), approvalHash: z.string(), counted }),
  /** A verdict that fulfils no step. Asking for changes is followed by `PostRejected`. */
  PostReviewed: z.strictObject({ ...reviewed, verdict: z.enum(verdicts), approvalHash: z.string() }),
  PostApproved: z.strictObject(approved),
  PostRejected: z.strictObject({ reason: z.string().nullable() }),
  PostScheduled: z.strictObject(approved),
  PostRescheduled: z.strictObject({ scheduledFor: storedInstant, from: storedInstant }),
  PostReturnedToDraft: z.strictObject({ from: postStatusSchema }),
  /** A member of the agency; null: the post is unassigned. */
  PostAssigned: z.strictObject({ memberId: z.string().nullable() }),
  PostClaimed: z.strictObject({ ...attempt, number: z.int(), until: storedInstant }),
  /**
   * Appended before the publishing request, so that an attempt with a lost outcome can be proven by its prepared media.
   */
  PublishingPrepared: z.strictObject({ ...attempt, media: z.array(z.string()) }),
  PostPublished: z.strictObject({
    attemptId: z.string(),
    remoteId: z.string().nullable(),
    url: z.string().nullable(),
    /** The source: the network's answer, or a user or look-up that found the post. */
    known: z.enum(['answer', 'found']),
  }),
  PublishingRejected: z.strictObject({
    ...attempt,
    cause: z.string(),
    remedy: z.enum(remedies).optional(),
    retryAt: storedInstant,
  }),
  PublishingOutcomeUnknown: z.strictObject({ ...attempt, cause: z.string() }),
  PublishingFailed: z.strictObject({ ...attempt, cause: z.string(), remedy: z.enum(remedies).optional() }),
  PostFoundAbsent: z.strictObject(attempt),
  /** `review`: of a hold that the client asked for. */
  PostHeld: z.strictObject({ because: z.enum(holdReasons), review: z.strictObject(reviewed).nullable() }),
  PostRetried: z.strictObject({ scheduledFor: storedInstant }),
  PostReleased: z.strictObject({ scheduledFor: storedInstant }),
  PostMetricsRecorded: z.strictObject({ reading: z.int(), platform: platformSchema, totals, delta: figures }),
  PostDeleted: z.strictObject({
    because: z.enum(deletionCauses),
    platform: platformSchema,
    from: postStatusSchema,
    /** Whether figures were ever recorded, and the figures to subtract. */
    measured: z.boolean(),
    figures,
  }),
} as const

export type PostEvent = FactOf<typeof postEvents>
export type Counted = z.infer<typeof figures>

import { z } from 'zod'
import { approvalRoundSchema } from '../../domain/core/approval-round.ts'
import { platformSchema, storedImageSchema } from '../../domain/core/values.ts'
import { deliverySchema, holdReasons, planSchema, postStatusSchema, remedies } from '../../domain/post/commands.ts'

export const postView = z.object({
  id: z.string(),
  agencyId: z.string(),
  clientId: z.string(),
  socialAccountId: z.string(),
  platform: platformSchema,
  content: z.string(),
  imageUrl: z.string().nullable(),
  /** The stored image; null before the post was first submitted or scheduled. */
  image: storedImageSchema.nullable(),
  status: postStatusSchema,
  delivery: deliverySchema,
  /** The last attempt's outcome for a user: why it was rejected, failed or is unknown. */
  deliveryNote: z.string().nullable(),
  /** What the user can do, when the network rejected the post. */
  remedy: z.enum(remedies).nullable(),
  heldBecause: z.enum(holdReasons).nullable(),
  retryAt: z.string().nullable(),
  rejectionReason: z.string().nullable(),
  scheduledFor: z.string().nullable(),
  publishedAt: z.string().nullable(),
  /** The URL of the published post. */
  url: z.string().nullable(),
  /** The slot of a posting schedule that it was written for. */
  plan: planSchema.nullable(),
  /** The member who takes care of it. */
  assignedTo: z.string().nullable(),
  /** The users who wrote the text and chose the image; null for a process. */
  textBy: z.string().nullable(),
  imageBy: z.string().nullable(),
  /** The steps of a post that was submitted under an approval policy; null for any other. */
  round: approvalRoundSchema.nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** The post's revision that this document shows; the value of its ETag. */
  revision: z.int(),
})
export type PostView = z.infer<typeof postView>

/** Of documents from before posts were assigned: who wrote them is unknown until the view is built. */
export const ofNobody = { assignedTo: null, textBy: null, imageBy: null } as const

/** Of documents from before posts were approved step by step. */
export const withoutRound = { round: null } as const

/** The beginning of a text, in the fields that `excerptOf` returns. */
export const excerptFields = {
  /** At most 400 characters (UTF-16 units), cut between words where possible; a cut text ends in an ellipsis. */
  excerpt: z.string(),
  /** Whether the text continues after the excerpt. */
  truncated: z.boolean(),
}

/** A post as a list shows it. */
export const postCardView = postView.omit({ content: true }).extend(excerptFields)
export type PostCardView = z.infer<typeof postCardView>

/** Written by a user, by a posting schedule, or taken from an imported file. */
export const postOrigins = ['user', 'schedule', 'import'] as const
export type PostOrigin = (typeof postOrigins)[number]

/** Sorts behind every planned time. */
export const unplanned = '9999-12-31T23:59:59.999Z'

/** Sorts behind every instant. */
export const stillPending = unplanned
/** Sorts before every instant. */
export const neverPending = ''

/** A card as it is stored: with what only orders and finds it. */
export const postCardDocument = postCardView.extend({
  /** The planned time; behind all others for a post without one. */
  plannedAt: z.string(),
  /** When the post was last pending: behind every instant while it is, and before all of them if it never was. */
  pendingUntil: z.string(),
  /** The words of the whole text, for a search. */
  words: z.string(),
  /** Where the post comes from. */
  origin: z.enum(postOrigins),
})
export type PostCardDocument = z.infer<typeof postCardDocument>

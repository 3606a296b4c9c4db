/** Posts as the API takes and answers them. */
import { z } from 'zod'
import { memberRoles } from '../../domain/agency/roles.ts'
import { audiences } from '../../domain/discussion/commands.ts'
import { idSchema, instantSchema, webUrlOrNothingSchema, webUrlSchema } from '../../domain/core/values.ts'
import {
  contentSchema,
  deliverySchema,
  firstStatuses,
  imageUrlSchema,
  postStatusSchema,
  rejectReasonSchema,
  remedies,
} from '../../domain/post/commands.ts'
import { abilities } from '../../domain/post/state-table.ts'
import { calendarView } from '../../projections/calendar/view.ts'
import { postCardView, postView } from '../../projections/posts/view.ts'
import { postSteps } from './approval-steps.ts'
import { maxGroupPosts } from './limits.ts'

/** Where a list continues, from the `Link` header of its previous page. */
export const cursorSchema = z
  .string()
  .max(500, 'Send the cursor of an earlier answer')
  .meta({ description: 'From the `Link` or the `next` of an earlier answer', examples: ['WyIwMTk1YTAwMCJd'] })
const generationId = idSchema.nullish().transform((id) => id ?? null)

/** A post with the actions that the signed-in member may take now. */
export const postReply = postView
  .omit({ agencyId: true, textBy: true, imageBy: true, round: true })
  .extend({ can: z.array(z.enum(abilities)), steps: postSteps })
export type Post = z.infer<typeof postReply>

/** The same with only the beginning of its text, for lists. */
export const postCard = postCardView
  .omit({ agencyId: true, textBy: true, imageBy: true, round: true })
  .extend({ can: postReply.shape.can, steps: postSteps })
export type PostCard = z.infer<typeof postCard>

export const newPostBody = z.object({
  socialAccountId: idSchema,
  content: contentSchema,
  imageUrl: imageUrlSchema,
  scheduledFor: instantSchema.nullish().transform((at) => at ?? null),
  /** `pending` submits it for review at once; `scheduled` gives it its time, or the next free slot. */
  status: z.enum(firstStatuses).default('draft'),
  generationId,
})

/** One text for several accounts of a client, each with a text of its own where its network needs one. */
export const newPostGroupBody = newPostBody.omit({ socialAccountId: true }).extend({
  posts: z
    .array(z.object({ socialAccountId: idSchema, content: contentSchema.optional() }))
    .min(1, 'Choose at least one account')
    .max(maxGroupPosts, `Choose at most ${maxGroupPosts} accounts`),
})

/** The outcome for each account: a refusal of one affects no other. */
export const postGroupReply = z.object({
  groupId: z.string(),
  results: z.array(
    z.object({
      socialAccountId: z.string(),
      done: z.boolean(),
      /** The reason for a refusal; null on success. */
      sentence: z.string().nullable(),
      /** With the beginning of its text; null where it was refused. */
      post: postCard.nullable(),
    }),
  ),
})
export type PostGroup = z.infer<typeof postGroupReply>

/** A missing one is missing, so that another shape of the change is named. */
const assigneeSchema = z
  .uuid({ error: ({ input }) => (input === undefined ? 'Required' : 'Not a valid id') })
  .meta({ examples: ['0195a000-0000-7000-8000-000000000001'] })

/**
 * Of a post under an approval policy: the step that the caller saw, so that a repeated request approves no other one.
 * Without it, the open step.
 */
const stepIdSchema = idSchema.optional()

/** Exactly one of these. */
export const postChangeBody = z.union(
  [
    z.strictObject({ status: z.literal('pending') }),
    z.strictObject({ status: z.literal('approved'), stepId: stepIdSchema }),
    z.strictObject({ status: z.literal('draft') }),
    z.strictObject({ status: z.literal('rejected'), reason: rejectReasonSchema }),
    z.strictObject({
      status: z.literal('scheduled'),
      scheduledFor: instantSchema.nullish().transform((at) => at ?? null),
    }),
    z.strictObject({ content: contentSchema, generationId }),
    z.strictObject({ imageUrl: webUrlOrNothingSchema }),
    z.strictObject({ scheduledFor: instantSchema }),
    z.strictObject({ assignedTo: assigneeSchema.nullable() }),
  ],
  'Send exactly one of: status, content, imageUrl, scheduledFor or assignedTo',
)

export const newTimeBody = z.object({ scheduledFor: instantSchema.nullish().transform((at) => at ?? null) })

const attemptLookedFor = 'From `attempts` of `GET /api/posts/{id}/delivery`'

/**
 * A user's word on an unknown outcome. `attemptId` names the attempt that the user looked for. It is required where
 * `live` is false: of an earlier attempt that may be true while the current one is live, and the post would be sent
 * twice.
 */
export const resolutionBody = z.union(
  [
    z.object({ live: z.literal(false), attemptId: idSchema.meta({ description: attemptLookedFor }) }),
    z.object({
      live: webUrlSchema,
      attemptId: idSchema
        .nullish()
        .transform((id) => id ?? null)
        .meta({ description: attemptLookedFor }),
    }),
  ],
  {
    error: ({ input }) =>
      Object(input).live === false
        ? 'Attempt id: Send the id of the attempt that is not live, or refresh the page'
        : 'Live: Send a web address, or false',
  },
)

const historyActor = z.object({
  type: z.enum(['user', 'auditor', 'reviewer', 'process']),
  id: z.string(),
  /** Today's name. */
  name: z.string(),
  /** The role then; null for a process, an auditor or a reviewer. */
  role: z.enum(memberRoles).nullable(),
})

/** That there was a comment, and for whom. Its words are read with the comments alone. */
const commentedEntry = z.object({ id: z.string(), at: z.string(), actor: historyActor, audience: z.enum(audiences) })
export type CommentedEntry = z.infer<typeof commentedEntry>

export const historyEntry = z.object({
  revision: z.int(),
  /** The event's type, e.g. `PostApproved`. */
  type: z.string(),
  at: z.string(),
  actor: historyActor,
  /** The post right after this event. */
  status: postStatusSchema,
  delivery: deliverySchema,
  content: z.string(),
  imageUrl: z.string().nullable(),
  scheduledFor: z.string().nullable(),
  deleted: z.boolean(),
  /** The event's own data. */
  data: z.record(z.string(), z.unknown()),
  /** The name of the approval step that the event is about; absent for any other event. */
  step: z.string().optional(),
  /** The words of a reviewer's verdict; null where they were erased, absent where there were none. */
  note: z.string().nullable().optional(),
  /** The comments since this event and before the next one; absent where there were none. */
  comments: z.array(commentedEntry).optional(),
  /** The event's place in the hash chain. */
  hash: z.string(),
})
export type HistoryEntry = z.infer<typeof historyEntry>

/** One attempt to publish a post. */
export const attempt = z.object({
  attemptId: z.string(),
  /** 1 for the first. */
  number: z.int(),
  at: z.string(),
  /** Null while it is running. */
  endedAt: z.string().nullable(),
  /** `turned-down` is retried automatically; `not-live` resolves an unknown outcome. */
  outcome: z.enum(['under-way', 'live', 'turned-down', 'failed', 'unknown', 'not-live']),
  cause: z.string().nullable(),
  remedy: z.enum(remedies).nullable(),
  retryAt: z.string().nullable(),
  url: z.string().nullable(),
})
export type Attempt = z.infer<typeof attempt>

export const deliveryReply = z.object({
  /** Why it isn't live, or that it is, in plain words. */
  sentence: z.string(),
  /** The action that helps; `wait` needs no user; null when nothing is to be done. */
  act: z.enum(['approve', 'wait', 'retry', 'release', 'resolve', 'reconnect', 'return-to-draft', 'check']).nullable(),
  /** When something happens automatically. */
  at: z.string().nullable(),
  attempts: z.array(attempt),
  /** For an unknown outcome: what a user who decides should know; else null. */
  evidence: z
    .object({
      /** When the attempt began. */
      attemptedAt: z.string(),
      /** What the look-ups on the network have seen. */
      sentence: z.string(),
      lookedAt: z.string().nullable(),
      nextLookAt: z.string().nullable(),
      /** Until then the network may not list a live post yet; null afterwards. */
      earlyUntil: z.string().nullable(),
    })
    .nullable(),
})
export type PostDelivery = z.infer<typeof deliveryReply>

export const monthSchema = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'Enter a month like 2025-01')
  .meta({ examples: ['2030-01'] })

export const calendarEntry = calendarView
  .omit({ agencyId: true, textBy: true, imageBy: true, round: true })
  .extend({ can: z.array(z.enum(abilities)), steps: postSteps, scheduledFor: z.string() })
export type CalendarEntry = z.infer<typeof calendarEntry>

/** A day of the agency's calendar: `2025-01-05`. Far years have names that no text comparison puts in order. */
export const daySchema = z
  .string()
  .refine((text) => /^(?:19|2\d)\d\d-\d\d-\d\d$/.test(text) && isDay(text), 'Enter a day like 2025-01-05')
  .meta({ pattern: '^20[2-9][0-9]-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])$', examples: ['2030-01-05'] })

/** February 30 would become a day of March. */
function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

/** What a tile of the calendar shows, and what dragging it needs. */
export const calendarTile = calendarEntry.omit({ socialAccountId: true, imageUrl: true })
export type CalendarTile = z.infer<typeof calendarTile>

/** `month` and `list` cover whole weeks, from Sunday; `month` has fewer posts of each day than the others. */
export const calendarSpans = ['month', 'list', 'week', 'day'] as const
export type CalendarSpan = (typeof calendarSpans)[number]

/** The days of a view of the calendar, each with its first posts. */
export const calendarDays = z.object({
  /** The first and the last day. */
  from: z.string(),
  to: z.string(),
  /** By time. */
  posts: z.array(calendarTile),
  /** For each day with further posts, how many. */
  more: z.array(z.object({ day: z.string(), count: z.int() })),
})
export type CalendarDays = z.infer<typeof calendarDays>

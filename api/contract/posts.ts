import { z } from 'zod'
import { idSchema, instantSchema, webUrlOrNothingSchema, webUrlSchema } from '../../domain/core/values.ts'
import {
  contentSchema,
  deliverySchema,
  imageUrlSchema,
  postStatusSchema,
  rejectReasonSchema,
  remedies,
} from '../../domain/post/commands.ts'
import { abilities } from '../../domain/post/state-table.ts'
import { calendarView } from '../../projections/calendar/view.ts'
import { postCardView, postView } from '../../projections/posts/view.ts'
import { maxTextBodyBytes, route } from './route.ts'

const byId = z.object({ id: idSchema })
/** A past instant whose state is requested. A past state offers no actions. */
const asOf = z.object({ asOf: instantSchema.optional() })
/** Where a list continues, from the `Link` header of its previous page. */
export const cursorSchema = z
  .string()
  .max(500, 'Send the cursor of an earlier answer')
  .meta({ description: 'From the `Link` or the `next` of an earlier answer', examples: ['WyIwMTk1YTAwMCJd'] })
const generationId = idSchema.nullish().transform((id) => id ?? null)
const refusedByRules = 'The rules refuse it in this state; the sentence says why'
const ended = 'The trial or subscription has ended'

/** A post with the actions that are possible now. */
export const postReply = postView.omit({ agencyId: true }).extend({ can: z.array(z.enum(abilities)) })
export type Post = z.infer<typeof postReply>

/** The same with only the beginning of its text, for lists. */
export const postCard = postCardView.omit({ agencyId: true }).extend({ can: postReply.shape.can })
export type PostCard = z.infer<typeof postCard>

export const newPostBody = z.object({
  socialAccountId: idSchema,
  content: contentSchema,
  imageUrl: imageUrlSchema,
  scheduledFor: instantSchema.nullish().transform((at) => at ?? null),
  /** `pending` submits it for review at once. */
  status: z.enum(['draft', 'pending']).default('draft'),
  generationId,
})

/** Exactly one of these. */
export const postChangeBody = z.union(
  [
    z.strictObject({ status: z.enum(['pending', 'approved', 'draft']) }),
    z.strictObject({ status: z.literal('rejected'), reason: rejectReasonSchema }),
    z.strictObject({
      status: z.literal('scheduled'),
      scheduledFor: instantSchema.nullish().transform((at) => at ?? null),
    }),
    z.strictObject({ content: contentSchema, generationId }),
    z.strictObject({ imageUrl: webUrlOrNothingSchema }),
    z.strictObject({ scheduledFor: instantSchema }),
  ],
  'Send exactly one of: status, content, imageUrl or scheduledFor',
)

const newTimeBody = z.object({ scheduledFor: instantSchema.nullish().transform((at) => at ?? null) })

export const historyEntry = z.object({
  revision: z.int(),
  /** The event's type, e.g. `PostApproved`. */
  type: z.string(),
  at: z.string(),
  actor: z.object({ type: z.enum(['user', 'auditor', 'process']), id: z.string(), name: z.string() }),
  /** The post right after this event. */
  status: postStatusSchema,
  delivery: deliverySchema,
  content: z.string(),
  imageUrl: z.string().nullable(),
  scheduledFor: z.string().nullable(),
  deleted: z.boolean(),
  /** The event's own data. */
  data: z.record(z.string(), z.unknown()),
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
})
export type PostDelivery = z.infer<typeof deliveryReply>

export const monthSchema = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'Enter a month like 2025-01')
  .meta({ examples: ['2030-01'] })

export const calendarEntry = calendarView
  .omit({ agencyId: true })
  .extend({ can: z.array(z.enum(abilities)), scheduledFor: z.string() })
export type CalendarEntry = z.infer<typeof calendarEntry>

export const postRoutes = {
  listPosts: route({
    method: 'GET',
    path: '/api/clients/{id}/posts',
    access: 'agency',
    summary:
      "A client's posts, newest first, page by page; with `asOf`, as they were then, from the log alone; with `view=card`, each with the beginning of its text",
    params: byId,
    query: asOf.extend({ view: z.enum(['card']).optional(), cursor: cursorSchema.optional() }),
    reply: z.array(postReply),
    views: { card: z.array(postCard) },
    paged: true,
    status: 200,
  }),
  writePost: route({
    method: 'POST',
    path: '/api/clients/{id}/posts',
    access: 'agency',
    summary: 'Write a post: a draft, or straight to review',
    params: byId,
    body: newPostBody,
    maxBodyBytes: maxTextBodyBytes,
    reply: postReply,
    status: 201,
    errors: { 402: ended, 409: refusedByRules },
    idempotent: true,
  }),
  getPost: route({
    method: 'GET',
    path: '/api/posts/{id}',
    access: 'agency',
    summary: 'One post; with `asOf`, as it was then, also one that was deleted since',
    params: byId,
    query: asOf,
    reply: postReply,
    status: 200,
  }),
  changePost: route({
    method: 'PATCH',
    path: '/api/posts/{id}',
    access: 'agency',
    summary: 'Change one thing of a post: its status, content, image or time',
    params: byId,
    body: postChangeBody,
    maxBodyBytes: maxTextBodyBytes,
    reply: postReply,
    status: 200,
    errors: { 402: ended, 409: refusedByRules, 412: 'The post has changed since the revision in If-Match' },
  }),
  deletePost: route({
    method: 'DELETE',
    path: '/api/posts/{id}',
    access: 'agency',
    summary: 'Delete a post; a copy on a network stays there',
    params: byId,
    reply: null,
    status: 204,
  }),
  resolvePost: route({
    method: 'POST',
    path: '/api/posts/{id}/resolve',
    access: 'agency',
    summary: 'Settle an unknown outcome: live at a URL, or not live',
    params: byId,
    body: z.object({ live: z.union([z.literal(false), webUrlSchema], 'Send a web address, or false') }),
    reply: postReply,
    status: 200,
    errors: { 409: refusedByRules },
  }),
  retryPost: route({
    method: 'POST',
    path: '/api/posts/{id}/retry',
    access: 'agency',
    summary: 'Try a failed post again, at once or at a new time',
    params: byId,
    body: newTimeBody,
    reply: postReply,
    status: 200,
    errors: { 402: ended, 409: refusedByRules },
  }),
  releasePost: route({
    method: 'POST',
    path: '/api/posts/{id}/release',
    access: 'agency',
    summary: 'Let a held post go, at once or at a new time',
    params: byId,
    body: newTimeBody,
    reply: postReply,
    status: 200,
    errors: { 402: ended, 409: refusedByRules },
  }),
  releaseHeldPosts: route({
    method: 'POST',
    path: '/api/posts/release-held',
    access: 'agency',
    summary:
      'After a payment, let go the posts that were held for want of it: those whose time has passed at once, in order',
    /** `left`: the number of posts still held, because one call is limited in time. */
    reply: z.object({ released: z.int(), left: z.int() }),
    status: 200,
    errors: { 402: ended },
  }),
  getPostHistory: route({
    method: 'GET',
    path: '/api/posts/{id}/history',
    access: 'agency',
    summary: 'The events of a post in order, also of a deleted one: at first the newest, earlier ones page by page',
    params: byId,
    query: z.object({ cursor: cursorSchema.optional() }),
    reply: z.array(historyEntry),
    paged: true,
    status: 200,
  }),
  getPostDelivery: route({
    method: 'GET',
    path: '/api/posts/{id}/delivery',
    access: 'agency',
    summary: 'Why a post is not live: each attempt, what came of it, and the next safe act',
    params: byId,
    reply: deliveryReply,
    status: 200,
  }),
  getCalendar: route({
    method: 'GET',
    path: '/api/calendar',
    access: 'agency',
    summary: "A month's posts, in the agency's time zone, by time, page by page; each with the beginning of its text",
    query: z.object({
      month: monthSchema,
      client: idSchema.optional(),
      asOf: instantSchema.optional(),
      cursor: cursorSchema.optional(),
    }),
    reply: z.array(calendarEntry),
    paged: true,
    status: 200,
    errors: { 404: "A client that is unknown, or another agency's" },
  }),
}

/** Routes that show posts without changing them: history, delivery and calendar. */
import { z } from 'zod'
import { idSchema, instantSchema } from '../../domain/core/values.ts'
import {
  calendarDays,
  calendarEntry,
  calendarSpans,
  cursorSchema,
  daySchema,
  deliveryReply,
  historyEntry,
  monthSchema,
} from './post-schemas.ts'
import { route } from './route.ts'

const byId = z.object({ id: idSchema })

export const postHistoryRoutes = {
  getPostHistory: route({
    method: 'GET',
    path: '/api/posts/{id}/history',
    access: 'agency',
    needs: 'viewer',
    client: 'loaded',
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
    needs: 'viewer',
    client: 'loaded',
    summary: 'Why a post is not live: each attempt, what came of it, and the next safe act',
    params: byId,
    reply: deliveryReply,
    status: 200,
  }),
  getCalendar: route({
    method: 'GET',
    path: '/api/calendar',
    access: 'agency',
    needs: 'viewer',
    client: { query: 'client' },
    summary:
      "A month's posts, in the agency's time zone, by time, page by page; each with the beginning of its text. With `view`, the days of that view in one reply: the first posts of each day and the number of the others; of the current month or day without `month` or `day`, and with `drafts` also drafts and posts in review",
    query: z.object({
      view: z.enum(calendarSpans).optional(),
      /** Required without `view`. */
      month: monthSchema.optional(),
      /** For the views `week` and `day`. */
      day: daySchema.optional(),
      client: idSchema.optional(),
      drafts: z.literal('true').optional(),
      asOf: instantSchema.optional(),
      cursor: cursorSchema.optional(),
    }),
    reply: z.array(calendarEntry),
    views: { month: calendarDays, list: calendarDays, week: calendarDays, day: calendarDays },
    paged: true,
    status: 200,
    errors: { 404: "A client that is unknown, or another agency's" },
  }),
}

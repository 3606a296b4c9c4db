import { z } from 'zod'
import { idSchema, platformSchema } from '../../domain/core/values.ts'
import { analyticsView } from '../../projections/analytics/view.ts'
import { cursorSchema, daySchema } from './post-schemas.ts'
import { route } from './route.ts'

/** The longest period of Analytics, in days. */
export const maxAnalyticsDays = 366
/** The rows of a page of posts. */
export const analyticsPageSize = 25
/** The rows of a CSV file of posts. */
export const maxAnalyticsRows = 10_000

const sums = analyticsView.shape.measured
export type MetricSums = z.infer<typeof sums>

export const analyticsRecord = sums.extend({
  clientId: z.string(),
  clientName: z.string(),
  postPlatform: analyticsView.shape.postPlatform,
  /** The time of the newest figures, except sample data; null before any were collected. */
  measuredAt: z.string().nullable(),
  /** True when the figures include sample data. */
  sample: z.boolean(),
  /** False: the network does not report the metric, whose sum is 0 then. */
  reported: z.object({
    views: z.boolean(),
    likes: z.boolean(),
    comments: z.boolean(),
    shares: z.boolean(),
    engagement: z.boolean(),
  }),
})
export type AnalyticsRecord = z.infer<typeof analyticsRecord>

const days = z.object({ from: z.string(), to: z.string() })

export const analyticsPeriod = days.extend({
  /** As many days, directly before. */
  previous: days,
  /** What was gained in the period, and in the previous one. */
  records: z.array(analyticsRecord.extend({ before: sums })),
})
export type AnalyticsPeriod = z.infer<typeof analyticsPeriod>

export const analyticsSorts = ['published', 'views', 'likes', 'comments', 'shares', 'engagement'] as const
export type AnalyticsSort = (typeof analyticsSorts)[number]

/** Null: the network does not offer it, or it was not read yet. */
const metric = z.int().nullable()
const metrics = { views: metric, likes: metric, comments: metric, shares: metric }

export const analyticsPost = z.object({
  id: z.string(),
  clientId: z.string(),
  clientName: z.string(),
  platform: platformSchema,
  excerpt: z.string(),
  publishedAt: z.string(),
  url: z.string().nullable(),
  ...metrics,
  engagement: metric,
  /** The metrics at each reading, in order. */
  readings: z.array(z.object({ at: z.string(), ...metrics })),
})
export type AnalyticsPost = z.infer<typeof analyticsPost>

export const messageReply = z.object({ message: z.string() })

const postQuery = z.object({
  /** Published from this day on, in the agency's time zone; all posts without `from` and `to`. */
  from: daySchema.optional(),
  /** The last day. */
  to: daySchema.optional(),
  client: idSchema.optional(),
  sort: z.enum(analyticsSorts).optional(),
  order: z.enum(['asc', 'desc']).optional(),
})

const unknownClient = "A client that is unknown, or another agency's"

export const analyticsRoutes = {
  listAnalytics: route({
    method: 'GET',
    path: '/api/analytics',
    access: 'agency',
    needs: 'viewer',
    client: 'list',
    summary: 'One record per client and platform',
    reply: z.array(analyticsRecord),
    status: 200,
  }),
  getAnalyticsPeriod: route({
    method: 'GET',
    path: '/api/analytics/period',
    access: 'agency',
    needs: 'viewer',
    client: { query: 'client' },
    summary: `What the posts of each client and platform gained in a period of days, ${maxAnalyticsDays} at most, and in the same number of days before it`,
    query: z.object({ from: daySchema, to: daySchema, client: idSchema.optional() }),
    reply: analyticsPeriod,
    status: 200,
    errors: { 404: unknownClient },
  }),
  listAnalyticsPosts: route({
    method: 'GET',
    path: '/api/analytics/posts',
    access: 'agency',
    needs: 'viewer',
    client: { query: 'client' },
    summary: 'Published posts with their newest metrics and those of each reading, page by page; the newest first',
    query: postQuery.extend({ cursor: cursorSchema.optional() }),
    reply: z.array(analyticsPost),
    paged: true,
    status: 200,
    errors: { 404: unknownClient },
  }),
  exportAnalytics: route({
    method: 'GET',
    path: '/api/analytics/export',
    access: 'agency',
    needs: 'viewer',
    client: { query: 'client' },
    summary: `The totals of clients and platforms, or the posts, as CSV; ${maxAnalyticsRows} posts at most`,
    query: postQuery.extend({ of: z.enum(['totals', 'posts']) }),
    reply: null,
    file: { csv: 'text/csv' },
    status: 200,
    errors: { 404: unknownClient },
  }),
  seedAnalytics: route({
    method: 'POST',
    path: '/api/seed-analytics',
    access: 'agency',
    needs: 'manager',
    client: 'list',
    summary: 'Add sample figures, marked as such, for each client',
    reply: messageReply,
    status: 200,
    errors: { 409: 'There is no client yet' },
  }),
  removeSampleData: route({
    method: 'DELETE',
    path: '/api/sample-data',
    access: 'agency',
    needs: 'manager',
    client: 'list',
    summary: 'Take the sample figures away again',
    reply: messageReply,
    status: 200,
  }),
}

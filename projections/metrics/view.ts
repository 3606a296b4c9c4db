/** Metrics over time: sums of periods, and each published post with its readings. */
import { z } from 'zod'
import { platformSchema } from '../../domain/core/values.ts'

const sums = z.object({
  views: z.int(),
  likes: z.int(),
  comments: z.int(),
  shares: z.int(),
  engagement: z.int(),
})
export type Sums = z.infer<typeof sums>

/** Null: the network does not offer it. */
const metric = z.int().nullable()
const reading = z.object({ at: z.string(), views: metric, likes: metric, comments: metric, shares: metric })
export type Reading = z.infer<typeof reading>

/** `sumsOf` is the client; a post's `clientId` is another field, so that lists of posts find posts alone. */
const ofClient = { id: z.string(), agencyId: z.string(), sumsOf: z.string(), platform: platformSchema }

/** What the posts of a client and platform gained in a period: a UTC month or day, in parts. */
const period = z.object({
  ...ofClient,
  kind: z.literal('period'),
  /** `2026-03`, with its days as parts; or `2026-03-05`, with its quarter hours: every zone's midnight is at one. */
  period: z.string(),
  /** `05`, or `14:15`; each with the number of its readings. */
  parts: z.record(z.string(), sums.extend({ readings: z.int() })),
})
export type Period = z.infer<typeof period>

/** Sample metrics of a client and platform, in the same queries as the periods. */
const sample = z.object({
  ...ofClient,
  kind: z.literal('sample'),
  period: z.literal('sample'),
  /** When they were added. */
  at: z.string(),
  sums,
})
export type Sample = z.infer<typeof sample>

const post = z.object({
  id: z.string(),
  kind: z.literal('post'),
  agencyId: z.string(),
  clientId: z.string(),
  publishedAt: z.string(),
  /** `2026-03`, of the publication in UTC. */
  month: z.string(),
  /** Null before the first reading. */
  platform: platformSchema.nullable(),
  views: metric,
  likes: metric,
  comments: metric,
  shares: metric,
  engagement: metric,
  /** In order; each has the newest known value of every metric. The collector's ages limit their number. */
  readings: z.array(reading),
})
export type MeasuredPost = z.infer<typeof post>

/** What remains of a deleted post: its readings, so that they can be subtracted again in a replay. */
const deleted = z.object({
  id: z.string(),
  kind: z.literal('deleted'),
  agencyId: z.string(),
  readings: z.array(reading),
})

export const metricsView = z.discriminatedUnion('kind', [period, sample, post, deleted])
export type MetricsView = z.infer<typeof metricsView>

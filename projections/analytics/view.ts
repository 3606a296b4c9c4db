import { z } from 'zod'
import { platformSchema } from '../../domain/core/values.ts'

const figures = z.object({
  views: z.int(),
  likes: z.int(),
  comments: z.int(),
  shares: z.int(),
  engagement: z.int(),
})

/** One document per client and platform: the sums of each post's newest figures; sample figures are kept apart. */
export const analyticsView = z.object({
  id: z.string(),
  agencyId: z.string(),
  clientId: z.string(),
  postPlatform: platformSchema,
  /** The number of published posts in these figures. */
  posts: z.int(),
  measured: figures,
  /** The time of the newest reading; null without any reading. */
  measuredAt: z.string().nullable(),
  sample: figures.nullable(),
  /** The metrics that the network ever reported for one of these posts: the sum of another is 0 and means nothing. */
  reported: z.object({ views: z.boolean(), likes: z.boolean(), comments: z.boolean(), shares: z.boolean() }),
})
export type AnalyticsView = z.infer<typeof analyticsView>
export type Reported = AnalyticsView['reported']
export type Figures = z.infer<typeof figures>

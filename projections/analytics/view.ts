import { z } from 'zod'
import { platformSchema } from '../../domain/core/values.ts'

const figures = z.object({
  views: z.int(),
  likes: z.int(),
  comments: z.int(),
  shares: z.int(),
  engagement: z.int(),
})

/** One document per client and platform: the sums of the newest figures of each post, and sample figures apart. */
export const analyticsView = z.object({
  id: z.string(),
  agencyId: z.string(),
  clientId: z.string(),
  postPlatform: platformSchema,
  /** How many published posts these figures are of. */
  posts: z.int(),
  measured: figures,
  /** When the newest of these figures were read; null: none ever were. */
  measuredAt: z.string().nullable(),
  sample: figures.nullable(),
})
export type AnalyticsView = z.infer<typeof analyticsView>
export type Figures = z.infer<typeof figures>

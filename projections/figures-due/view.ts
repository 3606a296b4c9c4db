import { z } from 'zod'
import { platformSchema } from '../../domain/core/values.ts'

/** Published posts and the number of their readings, for the collector. */
export const figuresDueView = z.object({
  id: z.string(),
  agencyId: z.string(),
  clientId: z.string(),
  accountId: z.string(),
  platform: platformSchema,
  /** Null until it is published. */
  publishedAt: z.string().nullable(),
  remoteId: z.string().nullable(),
  readings: z.int(),
})
export type FiguresDueView = z.infer<typeof figuresDueView>

import { z } from 'zod'
import type { FactOf } from '../core/history.ts'
import { platformSchema } from '../core/values.ts'

const figures = z.strictObject({
  platform: platformSchema,
  views: z.int(),
  likes: z.int(),
  comments: z.int(),
  shares: z.int(),
  engagement: z.int(),
})

export const sampleEvents = {
  SampleFiguresAdded: z.strictObject({ clientId: z.string(), figures: z.array(figures) }),
  SampleFiguresRemoved: z.strictObject({ clientId: z.string(), platforms: z.array(platformSchema) }),
} as const

export type SampleEvent = FactOf<typeof sampleEvents>

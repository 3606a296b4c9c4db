/**
 * The event of a generated text. New texts have a stream each (`generation-<id>`); older logs have them in the streams
 * of clients, so both aggregates know it.
 */
import { z } from 'zod'
import { platformSchema } from './values.ts'

export const contentGenerated = z.strictObject({
  generationId: z.string(),
  writer: z.string(),
  model: z.string().nullable(),
  platform: platformSchema,
  topic: z.string(),
  tone: z.string(),
  content: z.string(),
  /** The model's token count; null for a writer that counts none. */
  tokens: z.int().nullable(),
})
export type Generation = z.infer<typeof contentGenerated>

export interface ContentGenerated {
  readonly type: 'ContentGenerated'
  readonly data: Generation
}

import { z } from 'zod'

/** The writer of a generated text, its inputs, and whether it was changed before it was saved. */
export const provenanceSchema = z.strictObject({
  writer: z.string(),
  model: z.string().nullable(),
  topic: z.string(),
  tone: z.string(),
  edited: z.boolean(),
})
export type Provenance = z.infer<typeof provenanceSchema>
export interface Generated extends Provenance {
  readonly generationId: string
}

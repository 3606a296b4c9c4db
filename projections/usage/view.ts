import { z } from 'zod'

const share = z.object({
  writer: z.string(),
  /** Null for a writer that has none. */
  model: z.string().nullable(),
  texts: z.int(),
  tokens: z.int(),
})

/** One document per agency and month: how many texts were written for it, and what the models counted. */
export const usageView = z.object({
  id: z.string(),
  agencyId: z.string(),
  /** `2026-03`, of UTC: a zone may change later, and would move what was counted. */
  month: z.string(),
  texts: z.int(),
  tokens: z.int(),
  /** By writer and model, in order of their first text. */
  writers: z.array(share),
})
export type UsageView = z.infer<typeof usageView>

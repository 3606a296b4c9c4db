import { z } from 'zod'

const share = z.object({
  writer: z.string(),
  /** Null for a writer without a model. */
  model: z.string().nullable(),
  texts: z.int(),
  tokens: z.int(),
})

/** One document per agency and month: the number of texts written, and the models' token counts. */
export const usageView = z.object({
  id: z.string(),
  agencyId: z.string(),
  /** `2026-03`, in UTC: the agency's time zone may change later, which would move counted texts. */
  month: z.string(),
  texts: z.int(),
  tokens: z.int(),
  /** By writer and model, in order of their first text. */
  writers: z.array(share),
})
export type UsageView = z.infer<typeof usageView>

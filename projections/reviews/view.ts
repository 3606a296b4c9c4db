/** What was judged through each review link: one document for each of its posts. */
import { z } from 'zod'

const verdict = z.object({
  reviewerId: z.string(),
  verdict: z.enum(['approve', 'changes', 'hold']),
  version: z.int(),
  noteId: z.string().nullable(),
  at: z.string(),
})

export const reviewView = z.object({
  /** `<link>:<post>` */
  id: z.string(),
  linkId: z.string(),
  postId: z.string(),
  agencyId: z.string(),
  clientId: z.string(),
  /** The last verdict of each person, the latest one at the end. */
  verdicts: z.array(verdict),
  /** Those that a later one of the same person took the place of, the latest one at the end. */
  earlier: z.array(verdict),
  /** Of the latest verdict. */
  at: z.string(),
})
export type ReviewView = z.infer<typeof reviewView>

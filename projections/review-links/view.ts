import { z } from 'zod'
import { reviewAbilities, reviewLocks, reviewScopeSchema } from '../../domain/review-link/commands.ts'

export const reviewLinkView = z.object({
  id: z.string(),
  agencyId: z.string(),
  clientId: z.string(),
  /** The issuing user. */
  issuedBy: z.string(),
  contacts: z.array(z.string()),
  anyone: z.boolean(),
  scope: reviewScopeSchema,
  may: z.array(z.enum(reviewAbilities)),
  lock: z.enum(reviewLocks),
  issuedAt: z.string(),
  expiresAt: z.string(),
  revokedAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
})
export type ReviewLinkView = z.infer<typeof reviewLinkView>

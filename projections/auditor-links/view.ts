import { z } from 'zod'
import { scopeSchema } from '../../domain/auditor-link/commands.ts'

export const auditorLinkView = z.object({
  id: z.string(),
  agencyId: z.string(),
  /** The issuing user; null in a list from before it was kept. */
  issuedBy: z.string().nullable(),
  label: z.string(),
  scope: scopeSchema,
  issuedAt: z.string(),
  expiresAt: z.string(),
  revokedAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
  /** Recorded uses: at most one per hour. */
  uses: z.int(),
})
export type AuditorLinkView = z.infer<typeof auditorLinkView>

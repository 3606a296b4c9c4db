import { z } from 'zod'
import { scopeSchema } from '../../domain/auditor-link/commands.ts'

export const auditorLinkView = z.object({
  id: z.string(),
  agencyId: z.string(),
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

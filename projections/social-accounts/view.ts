import { z } from 'zod'
import { platformSchema } from '../../domain/core/values.ts'

export const socialAccountView = z.object({
  id: z.string(),
  agencyId: z.string(),
  clientId: z.string(),
  platform: platformSchema,
  accountName: z.string(),
  accountUrl: z.string().nullable(),
  isConnected: z.boolean(),
  /** Where a connected account publishes: the sandbox, or the network itself. */
  network: z.enum(['sandbox', 'live']).nullable(),
  createdAt: z.string(),
})
export type SocialAccountView = z.infer<typeof socialAccountView>

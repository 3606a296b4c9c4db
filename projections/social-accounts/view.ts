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
  /** When a person has to connect it again at the latest; null: not foreseeable. */
  endsAt: z.string().nullable(),
  /** Why the connection broke; null while it is well, or was ended on purpose. */
  lostBecause: z.string().nullable(),
  /** The network asked for a rest: posts wait until then. It may have passed. */
  pausedUntil: z.string().nullable(),
  pausedBecause: z.string().nullable(),
  createdAt: z.string(),
})
export type SocialAccountView = z.infer<typeof socialAccountView>

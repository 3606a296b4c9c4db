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
  /** Where a connected account publishes: the sandbox or the real network. */
  network: z.enum(['sandbox', 'live']).nullable(),
  /** The latest time by which a user has to connect it again; null: unknown. */
  endsAt: z.string().nullable(),
  /** Why the connection was lost; null while it works, or was ended on purpose. */
  lostBecause: z.string().nullable(),
  /** The network asked for a pause: posts wait until then. It may be in the past. */
  pausedUntil: z.string().nullable(),
  pausedBecause: z.string().nullable(),
  createdAt: z.string(),
})
export type SocialAccountView = z.infer<typeof socialAccountView>

/** Every stream of the log: whose it is, and where it ends. What an auditor finds things by, and what checkpoints cover. */
import { z } from 'zod'

export const streamKinds = ['agency', 'client', 'post', 'sample', 'auditorlink'] as const

export const streamView = z.object({
  /** The stream's name. */
  id: z.string(),
  kind: z.enum(streamKinds),
  agencyId: z.string(),
  /** Null for what belongs to the agency as a whole. */
  clientId: z.string().nullable(),
  /** Of its last event. */
  revision: z.int(),
  hash: z.string(),
  firstAt: z.string(),
  lastAt: z.string(),
  /** The type of its last event. */
  lastType: z.string(),
})
export type StreamView = z.infer<typeof streamView>

/** Every stream of the log, with its owner and its end: the auditor's index, and the content of checkpoints. */
import { z } from 'zod'

export const streamKinds = [
  'agency',
  'client',
  'generation',
  'post',
  'sample',
  'auditorlink',
  'reviewlink',
  'discussion',
] as const

export const streamView = z.object({
  /** The stream's name. */
  id: z.string(),
  kind: z.enum(streamKinds),
  agencyId: z.string(),
  /** Null for events of the agency as a whole. */
  clientId: z.string().nullable(),
  /** The last event's revision. */
  revision: z.int(),
  hash: z.string(),
  firstAt: z.string(),
  lastAt: z.string(),
  /** The last event's type. */
  lastType: z.string(),
})
export type StreamView = z.infer<typeof streamView>

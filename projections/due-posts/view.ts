import { z } from 'zod'
import { platformSchema } from '../../domain/core/values.ts'
import { deliverySchema, holdReasons } from '../../domain/post/commands.ts'

/** The publisher's worklist: posts to send, and attempts with an open outcome. */
export const duePostView = z.object({
  id: z.string(),
  agencyId: z.string(),
  clientId: z.string(),
  accountId: z.string(),
  platform: platformSchema,
  hasImage: z.boolean(),
  /** Drafts and posts in review are kept with `waiting: false`: an approval makes them due. */
  waiting: z.boolean(),
  dueAt: z.string().nullable(),
  /** The planned time; `dueAt` is later while a retry waits. An account's posts are sent in this order. */
  scheduledFor: z.string().nullable(),
  delivery: deliverySchema,
  heldBecause: z.enum(holdReasons).nullable(),
  attemptId: z.string().nullable(),
  claimedAt: z.string().nullable(),
  /** When the open attempt expires. */
  until: z.string().nullable(),
  deleted: z.boolean(),
  /** The remote id of a published post; kept after a deletion, to attribute the network's copy. */
  remoteId: z.string().nullable(),
  /** The account of a post that is live without a known remote id; kept after a deletion, as that is. */
  unnamedIn: z.string().nullable(),
})
export type DuePostView = z.infer<typeof duePostView>

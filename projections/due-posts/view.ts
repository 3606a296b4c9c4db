import { z } from 'zod'
import { platformSchema } from '../../domain/core/values.ts'
import { deliverySchema, holdReasons } from '../../domain/post/commands.ts'

/** What the publisher has to do: posts on their way, and attempts whose outcome is open. */
export const duePostView = z.object({
  id: z.string(),
  agencyId: z.string(),
  clientId: z.string(),
  accountId: z.string(),
  platform: platformSchema,
  hasImage: z.boolean(),
  /** Drafts and posts in review are kept too, as `waiting: false`: an approval makes them due. */
  waiting: z.boolean(),
  dueAt: z.string().nullable(),
  /** What it was planned for; `dueAt` is later where a retry waits. An account's posts go in this order. */
  scheduledFor: z.string().nullable(),
  delivery: deliverySchema,
  heldBecause: z.enum(holdReasons).nullable(),
  attemptId: z.string().nullable(),
  claimedAt: z.string().nullable(),
  /** When the open attempt is over, whatever came of it. */
  until: z.string().nullable(),
  deleted: z.boolean(),
  /** The network's id of a published post, which stays here to say whose it is, also after a deletion. */
  remoteId: z.string().nullable(),
})
export type DuePostView = z.infer<typeof duePostView>

import { z } from 'zod'

/** A post written for a slot of a posting schedule. */
export const plannedPostView = z.object({
  id: z.string(),
  agencyId: z.string(),
  clientId: z.string(),
  accountId: z.string(),
  scheduleId: z.string(),
  revision: z.int(),
  slot: z.string(),
  /** A user has acted on the post: it stays when the schedule changes. */
  isTouched: z.boolean(),
})
export type PlannedPostView = z.infer<typeof plannedPostView>

import { z } from 'zod'

/** A post that was written for a slot of a posting schedule. */
export const plannedPostView = z.object({
  id: z.string(),
  agencyId: z.string(),
  clientId: z.string(),
  accountId: z.string(),
  scheduleId: z.string(),
  revision: z.int(),
  slot: z.string(),
  /** Somebody has done something with it: it stays when the schedule changes. */
  isTouched: z.boolean(),
})
export type PlannedPostView = z.infer<typeof plannedPostView>

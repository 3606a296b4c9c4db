import { z } from 'zod'

/** A pending post whose approval policy reminds; the id is the post's. */
export const approvalReminderView = z.object({
  id: z.string(),
  agencyId: z.string(),
  /** Of the policy: when to remind, in hours after a step opens. */
  hours: z.array(z.int()),
  openedAt: z.string(),
  /** When the next reminder of the open step is due; null: it had all of them. */
  dueAt: z.string().nullable(),
})
export type ApprovalReminderView = z.infer<typeof approvalReminderView>

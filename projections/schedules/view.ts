import { z } from 'zod'
import { frequencies, preferredTimeSchema } from '../../domain/client/commands.ts'

export const scheduleView = z.object({
  id: z.string(),
  agencyId: z.string(),
  clientId: z.string(),
  socialAccountId: z.string(),
  frequency: z.enum(frequencies),
  postsPerWeek: z.int(),
  preferredTimes: z.array(preferredTimeSchema),
  contentTopics: z.array(z.string()),
  isActive: z.boolean(),
  /** The number of changes to its rules. */
  revision: z.int(),
  createdAt: z.string(),
})
export type ScheduleView = z.infer<typeof scheduleView>

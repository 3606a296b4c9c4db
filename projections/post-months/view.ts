/** The months that each post was ever planned in: an index into the log, to find the posts of a past calendar. */
import { z } from 'zod'

export const postMonthView = z.object({
  /** `<post>:<month>` */
  id: z.string(),
  postId: z.string(),
  agencyId: z.string(),
  clientId: z.string(),
  /** `2026-03`. Near the turn of a month a post is listed in both: its agency's time zone may change. */
  month: z.string(),
})
export type PostMonthView = z.infer<typeof postMonthView>

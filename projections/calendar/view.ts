import { z } from 'zod'
import { postCardView } from '../posts/view.ts'

/** A post as the calendar shows it: the beginning of its text is enough for a month's view. */
export const calendarView = postCardView.pick({
  id: true,
  agencyId: true,
  clientId: true,
  socialAccountId: true,
  platform: true,
  excerpt: true,
  truncated: true,
  imageUrl: true,
  status: true,
  delivery: true,
  heldBecause: true,
  scheduledFor: true,
  assignedTo: true,
  textBy: true,
  imageBy: true,
  round: true,
})
export type CalendarView = z.infer<typeof calendarView>

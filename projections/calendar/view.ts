import { z } from 'zod'
import { postView } from '../posts/view.ts'

export const calendarView = postView.pick({
  id: true,
  agencyId: true,
  clientId: true,
  socialAccountId: true,
  platform: true,
  content: true,
  imageUrl: true,
  status: true,
  delivery: true,
  heldBecause: true,
  scheduledFor: true,
})
export type CalendarView = z.infer<typeof calendarView>

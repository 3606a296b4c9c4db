import { z } from 'zod'
import { usageView } from '../../projections/usage/view.ts'
import { route } from './route.ts'

const month = usageView.omit({ id: true, agencyId: true })

export const usageReply = z.object({
  /** Null: AI is not connected. */
  model: z.string().nullable(),
  /** The present month in UTC, which months are counted in. */
  thisMonth: z.string(),
  /** The newest first, a year at most; a month in which nothing was written is left out. */
  months: z.array(month),
})
export type Usage = z.infer<typeof usageReply>

export const usageRoutes = {
  getUsage: route({
    method: 'GET',
    path: '/api/usage',
    access: 'agency',
    summary: 'How many texts were written for the agency each month, by whom, and what the models counted',
    reply: usageReply,
    status: 200,
  }),
}

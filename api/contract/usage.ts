import { z } from 'zod'
import { usageView } from '../../projections/usage/view.ts'
import { route } from './route.ts'

const month = usageView.omit({ id: true, agencyId: true })

export const usageReply = z.object({
  /** Null: no AI is connected. */
  model: z.string().nullable(),
  /** The current month in UTC; months are counted in UTC. */
  thisMonth: z.string(),
  /** Newest first, a year at most; months without texts are omitted. */
  months: z.array(month),
})
export type Usage = z.infer<typeof usageReply>

export const usageRoutes = {
  getUsage: route({
    method: 'GET',
    path: '/api/usage',
    access: 'agency',
    needs: 'admin',
    client: 'agency',
    summary: 'How many texts were written for the agency each month, by whom, and what the models counted',
    reply: usageReply,
    status: 200,
  }),
}

import { z } from 'zod'
import { analyticsView } from '../../projections/analytics/view.ts'
import { route } from './route.ts'

export const analyticsRecord = analyticsView.shape.measured.extend({
  clientId: z.string(),
  clientName: z.string(),
  postPlatform: analyticsView.shape.postPlatform,
  /** The time of the newest figures, except sample data; null before any were collected. */
  measuredAt: z.string().nullable(),
  /** True when the figures include sample data. */
  sample: z.boolean(),
})
export type AnalyticsRecord = z.infer<typeof analyticsRecord>

export const messageReply = z.object({ message: z.string() })

export const analyticsRoutes = {
  listAnalytics: route({
    method: 'GET',
    path: '/api/analytics',
    access: 'agency',
    summary: 'One record per client and platform',
    reply: z.array(analyticsRecord),
    status: 200,
  }),
  seedAnalytics: route({
    method: 'POST',
    path: '/api/seed-analytics',
    access: 'agency',
    summary: 'Add sample figures, marked as such, for each client',
    reply: messageReply,
    status: 200,
    errors: { 409: 'There is no client yet' },
  }),
  removeSampleData: route({
    method: 'DELETE',
    path: '/api/sample-data',
    access: 'agency',
    summary: 'Take the sample figures away again',
    reply: messageReply,
    status: 200,
  }),
}

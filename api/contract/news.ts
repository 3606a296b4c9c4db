import { z } from 'zod'
import { route } from './route.ts'

/** What a list shows, so what a line beside it can speak of. */
export const newsKinds = ['posts', 'clients', 'accounts', 'figures'] as const
export type NewsKind = (typeof newsKinds)[number]

/** Opaque, sortable as a string: how far somebody has heard. `0` is before everything. */
const positionSchema = z.string().regex(/^\d{1,40}(-\d{1,20})?$/, 'Send a position as it was received')

export const newsMessage = z.object({
  /** Too much happened since then to tell it one by one: anything may have changed. */
  missed: z.boolean(),
  changes: z.array(
    z.object({
      kind: z.enum(newsKinds),
      /** What changed; of figures, whose. */
      id: z.string(),
      clientId: z.string(),
      position: positionSchema,
    }),
  ),
})
export type NewsMessage = z.infer<typeof newsMessage>
export type Change = NewsMessage['changes'][number]

export const newsRoutes = {
  getNews: route({
    method: 'GET',
    path: '/api/news',
    access: 'agency',
    summary: "What changes in the agency's lists, as it happens; never the lists themselves",
    query: z.object({
      /** An `X-Position` that a list came with. A browser that comes back sends `Last-Event-ID`, which counts more. */
      since: positionSchema.optional(),
    }),
    reply: null,
    stream: newsMessage,
    status: 200,
    errors: { 429: 'Too many open at once', 503: 'The server is about to stop' },
  }),
}

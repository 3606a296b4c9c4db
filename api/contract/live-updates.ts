import { z } from 'zod'
import { route } from './route.ts'

/** The kinds of items in lists, which a notice beside a list can name. */
export const changeKinds = ['posts', 'clients', 'accounts', 'figures'] as const
export type ChangeKind = (typeof changeKinds)[number]

/**
 * How far a list was read: encrypted for one agency, so that only the server can compare it. An invalid one counts as
 * older than everything.
 */
const positionSchema = z.string().regex(/^[\w-]{1,200}$/, 'Send a position as it was received')

const maxPositions = 8
/** Positions separated by dots. */
export const positionsPattern = new RegExp(`^[\\w-]{1,200}(\\.[\\w-]{1,200}){0,${maxPositions - 1}}$`)
const positionsSchema = z
  .string()
  .regex(positionsPattern, `Send 1 to ${maxPositions} positions as they were received, with dots between`)
  .meta({ examples: ['0'] })

/** The number of changed items, by kind and client. */
export const changeCounts = z.object({
  missed: z.boolean(),
  changed: z.array(z.object({ kind: z.enum(changeKinds), clientId: z.string(), count: z.int().min(1) })),
})
export type ChangeCounts = z.infer<typeof changeCounts>

export const changesMessage = z.object({
  /** Too many changes to list them: anything may have changed. */
  missed: z.boolean(),
  changes: z.array(
    z.object({
      kind: z.enum(changeKinds),
      /** The id of the changed item; for figures, of their owner. */
      id: z.string(),
      clientId: z.string(),
      position: positionSchema,
    }),
  ),
})
export type ChangesMessage = z.infer<typeof changesMessage>
export type Change = ChangesMessage['changes'][number]

export const liveUpdatesRoutes = {
  getNews: route({
    method: 'GET',
    path: '/api/news',
    access: 'agency',
    needs: 'viewer',
    client: 'list',
    summary: "What changes in the agency's lists, as it happens; never the lists themselves",
    query: z.object({
      /** The `X-Position` of a list. A reconnecting browser sends `Last-Event-ID`, which takes precedence. */
      since: positionSchema.meta({ examples: ['0'] }).optional(),
    }),
    reply: null,
    stream: changesMessage,
    status: 200,
    errors: { 429: 'Too many open at once', 503: 'The server is about to stop' },
  }),
  countNews: route({
    method: 'GET',
    path: '/api/news/count',
    access: 'agency',
    needs: 'viewer',
    client: 'list',
    summary: 'How many things changed since lists were read',
    query: z.object({
      /** The lists' `X-Position`s; the oldest counts. */
      since: positionsSchema,
    }),
    reply: changeCounts,
    status: 200,
  }),
}

/** What needs a person: posts by the reason, connections, and the posts that go out next. */
import { z } from 'zod'
import { platformSchema } from '../../domain/core/values.ts'
import { cursorSchema, postCard } from './post-schemas.ts'
import { route } from './route.ts'

/** Why a post needs a person, the most urgent first. */
export const attentionKinds = ['failed', 'unknown', 'held', 'pending', 'draft'] as const
export type AttentionKind = (typeof attentionKinds)[number]

/** The one action that helps. */
export const attentionActs = [
  'retry',
  'release',
  'return-to-draft',
  'connect',
  'pay',
  'settle',
  'review',
  'open',
] as const
export type AttentionAct = (typeof attentionActs)[number]

/** Posts of each kind in the overview; `GET /api/attention/{kind}` has all. */
export const attentionShown = 5
export const nextUpShown = 10

const named = z.object({ post: postCard, clientName: z.string(), accountName: z.string() })

export const attentionPost = named.extend({ kind: z.enum(attentionKinds), act: z.enum(attentionActs) })
export type AttentionPost = z.infer<typeof attentionPost>

export const attentionConnection = z.object({
  accountId: z.string(),
  accountName: z.string(),
  platform: platformSchema,
  clientId: z.string(),
  clientName: z.string(),
  /** `none`: not connected while posts wait. */
  state: z.enum(['broken', 'ending', 'none']),
  /** Posts that depend on the connection: those that wait, and those on hold because it is missing. */
  posts: z.int(),
})
export type AttentionConnection = z.infer<typeof attentionConnection>

export const attentionReply = z.object({
  /** The number of posts of each kind. */
  counts: z.object({ failed: z.int(), unknown: z.int(), held: z.int(), pending: z.int(), draft: z.int() }),
  /** Sorted by kind, then by planned time: at most five of each kind. */
  posts: z.array(attentionPost),
  connections: z.array(attentionConnection),
  /** The next ten posts that go out. */
  nextUp: z.array(named),
})
export type Attention = z.infer<typeof attentionReply>
export type NextUp = Attention['nextUp'][number]

export const attentionRoutes = {
  getAttention: route({
    method: 'GET',
    path: '/api/attention',
    access: 'agency',
    needs: 'viewer',
    client: 'list',
    summary: 'What needs a person, counted, and the next ten posts',
    reply: attentionReply,
    status: 200,
  }),
  listAttention: route({
    method: 'GET',
    path: '/api/attention/{kind}',
    access: 'agency',
    needs: 'viewer',
    client: 'list',
    summary: 'All posts that need a person for one reason, page by page',
    params: z.object({ kind: z.enum(attentionKinds) }),
    query: z.object({ cursor: cursorSchema.optional() }),
    reply: z.array(attentionPost),
    status: 200,
    paged: true,
  }),
}

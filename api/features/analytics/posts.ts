/** Published posts with their metrics, page by page, in the order of any column. */
import { excerptOf } from '../../../projections/core/excerpt.ts'
import type { MeasuredPost } from '../../../projections/metrics/view.ts'
import { WrongCursor, type Query } from '../../../projections/read-store/port.ts'
import type { Views } from '../../../projections/registry.ts'
import { analyticsPageSize, type AnalyticsPost, type AnalyticsSort } from '../../contract/index.ts'
import { notFound } from '../../http/problem.ts'
import { wrongCursor } from '../../http/paging.ts'
import { monthsIn, spanOf, type Days } from './days.ts'

export interface PostsAsked {
  readonly days: Days | undefined
  readonly client: string | undefined
  readonly sort?: AnalyticsSort | undefined
  readonly order?: 'asc' | 'desc' | undefined
}

export interface PostsScope {
  readonly agencyId: string
  readonly clients: Readonly<Record<string, { readonly name: string }>>
  readonly zone: string
}

/** Of a text in a row. */
const maxExcerpt = 140

/** @throws Problem 404 for another agency's client */
export function postsQuery({ agencyId, clients, zone }: PostsScope, { days, client, ...asked }: PostsAsked) {
  if (client !== undefined && !(client in clients)) throw notFound('This client')
  const { sort = 'published', order = 'desc' } = asked
  const sorted = { field: sort === 'published' ? 'publishedAt' : sort, order } as const
  const ofClients = client === undefined ? { clientId: { in: Object.keys(clients) } } : { clientId: client }
  if (!days) return { where: ofClients, sort: sorted } satisfies Query
  const span = spanOf(days, zone)
  // The months are read from an index in the wanted order; of the first and the last one, other days are left out.
  return {
    where: { ...(client === undefined ? { agencyId } : { clientId: client }), month: { in: [...monthsIn(span)] } },
    filter: { publishedAt: { gte: span.from, lt: span.to } },
    sort: sorted,
  } satisfies Query
}

/** Posts of a removed client, and posts that were deleted meanwhile, are omitted. */
export async function postsPage(
  views: Pick<Views, 'metrics' | 'postCards'>,
  scope: PostsScope,
  query: Query,
  cursor: string | undefined,
  limit = analyticsPageSize,
): Promise<{ readonly body: AnalyticsPost[]; readonly next: string | null }> {
  const { items, next } = await views.metrics
    .page({ ...query, limit, ...(cursor !== undefined && { cursor }) })
    .catch((error: unknown) => {
      throw error instanceof WrongCursor ? wrongCursor() : error
    })
  const posts = items.filter((item): item is MeasuredPost => item.kind === 'post')
  const cards = await views.postCards.getMany(posts.map(({ id }) => id))
  const body = posts.flatMap((post) => {
    const [card, client] = [cards.get(post.id), scope.clients[post.clientId]]
    if (!card || !client) return []
    const { kind: _, agencyId: __, month: ___, platform: ____, ...metrics } = post
    const { platform, url, excerpt } = card
    return { ...metrics, clientName: client.name, platform, url, excerpt: excerptOf(excerpt, maxExcerpt).excerpt }
  })
  return { body, next }
}

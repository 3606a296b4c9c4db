/** Published posts with their metrics, page by page, in the order of any column. */
import { excerptOf } from '../../../projections/core/excerpt.ts'
import type { MeasuredPost, MetricsView } from '../../../projections/metrics/view.ts'
import type { Listed, ViewReader } from '../../../projections/core/views.ts'
import type { Query } from '../../../projections/read-store/port.ts'
import type { Views } from '../../../projections/registry.ts'
import { analyticsPageSize, type AnalyticsPost, type AnalyticsSort } from '../../contract/index.ts'
import type { ClientsWhere } from '../../core/member-scope.ts'
import { notFound } from '../../http/problem.ts'
import { pageBounds, pageOf } from '../../http/paging.ts'
import type { Span } from '../../core/time-zone.ts'
import { monthsIn, spanOf, type Days } from './days.ts'

export interface PostsAsked {
  readonly days: Days | undefined
  readonly client: string | undefined
  readonly sort?: AnalyticsSort | undefined
  readonly order?: 'asc' | 'desc' | undefined
}

export interface PostsScope {
  /** The clients that the member works for. */
  readonly of: ClientsWhere
  readonly clients: Readonly<Record<string, { readonly name: string }>>
  readonly zone: string
}

/** Of a text in a row. */
const maxExcerpt = 140

/** A list, and the times that its posts were published within; null: any. */
export interface PostsList {
  readonly query: Query
  readonly span: Span | null
}

/** @throws Problem 404 for another agency's client */
export function postsList({ of, clients, zone }: PostsScope, { days, client, ...asked }: PostsAsked): PostsList {
  if (client !== undefined && !(client in clients)) throw notFound('This client')
  const { sort = 'published', order = 'desc' } = asked
  const ofClients = { clientId: client ?? { in: Object.keys(clients) } }
  const span = days ? spanOf(days, zone) : null
  if (sort === 'published') {
    const where = { ...ofClients, ...(span && { publishedAt: { gte: span.from, lt: span.to } }) }
    return { query: { where, sort: { field: 'publishedAt', order } }, span: null }
  }
  const sorted = { field: sort, order } as const
  if (!span) return { query: { where: ofClients, sort: sorted }, span }
  // An index has each month's posts in the wanted order; those of other days of the first and the last are left out.
  const ofMember = of.clientId ? { clientId: of.clientId } : { agencyId: of.agencyId }
  const scope = client === undefined ? ofMember : { clientId: client }
  return { query: { where: { ...scope, month: { in: [...monthsIn(span)] } }, sort: sorted }, span }
}

/** Before the cursor of a post without a value. */
const noValue = 'none.'

/**
 * Posts without a value are last in either order. A store sorts them first in ascending order: there, the posts with a
 * value are one query and the others the next, both served by the index of that metric.
 */
async function* inOrder(
  metrics: ViewReader<MetricsView>,
  query: Query,
  cursor: string | undefined,
  first: number,
): AsyncGenerator<Listed<MetricsView>> {
  const { sort, where } = query
  const listed = (part: Query, after: string | undefined) =>
    metrics.each({ ...part, ...(after !== undefined && { cursor: after }) }, first)
  if (!sort || sort.order === 'desc' || sort.field === 'publishedAt') return yield* listed(query, cursor)
  const isLast = cursor?.startsWith(noValue) ?? false
  if (!isLast) {
    const withValue = { ...where, [sort.field]: { gte: Number.MIN_SAFE_INTEGER } }
    yield* listed({ where: withValue, sort }, cursor)
  }
  const rest = listed(
    { where: { ...where, [sort.field]: null }, sort },
    isLast ? cursor?.slice(noValue.length) : undefined,
  )
  for await (const { item, cursor: after } of rest) yield { item, cursor: () => `${noValue}${after()}` }
}

/** Posts of a removed client, and posts that were deleted meanwhile, are omitted. */
export async function postsPage(
  views: Pick<Views, 'metrics' | 'postCards'>,
  scope: PostsScope,
  { query, span }: PostsList,
  cursor: string | undefined,
  limit = analyticsPageSize,
): Promise<{ readonly body: AnalyticsPost[]; readonly next: string | null }> {
  const isListed = (post: MetricsView): post is MeasuredPost =>
    post.kind === 'post' && (!span || (post.publishedAt >= span.from && post.publishedAt < span.to))
  const { body: posts, page } = await pageOf(
    inOrder(views.metrics, query, cursor, limit + 1),
    (post) => (isListed(post) ? post : null),
    { ...pageBounds, items: limit },
  )
  const cards = await views.postCards.getMany(posts.map(({ id }) => id))
  const body = posts.flatMap((post) => {
    const [card, client] = [cards.get(post.id), scope.clients[post.clientId]]
    if (!card || !client) return []
    const { kind: _, agencyId: __, month: ___, platform: ____, ...metrics } = post
    const { platform, url, excerpt } = card
    return { ...metrics, clientName: client.name, platform, url, excerpt: excerptOf(excerpt, maxExcerpt).excerpt }
  })
  return { body, next: page.next }
}

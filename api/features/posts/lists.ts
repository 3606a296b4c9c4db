/** A client's posts, page by page: whole, or as cards with the beginning of the text. */
import { abilitiesOf } from '../../../domain/post/state-table.ts'
import { postStatuses } from '../../../domain/post/commands.ts'
import type { Listed } from '../../../projections/core/views.ts'
import { postCardsProjection } from '../../../projections/posts/cards.ts'
import { postsProjection } from '../../../projections/posts/projection.ts'
import type { PostCardDocument, PostCardView, PostView } from '../../../projections/posts/view.ts'
import type { Views } from '../../../projections/registry.ts'
import type { Past } from '../history/past.ts'
import { mustHaveClient } from '../clients/routes.ts'
import type { Post, PostCard, PostCounts } from '../../contract/index.ts'
import type { Handlers } from '../../http/handler.ts'
import { pageBounds, pageOf } from '../../http/paging.ts'
import { notFound, Problem } from '../../http/problem.ts'
import { withPresentImage, type OwnAddresses } from '../media/images.ts'
import { isFiltered, listQuery } from './list-query.ts'

interface Ports {
  readonly views: Pick<Views, 'posts' | 'postCards'>
  readonly images: OwnAddresses
  readonly past: Past
}

/** A card from the view, or with its stored fields from the log. */
type AnyCard = PostCardView & Partial<PostCardDocument>

export function replies(images: OwnAddresses) {
  return {
    postOf: ({ agencyId: _, ...post }: PostView): Promise<Post> =>
      withPresentImage(images, { ...post, can: abilitiesOf(post) }),
    cardOf: ({ agencyId: _, plannedAt: __, words: ___, ...card }: AnyCard): Promise<PostCard> =>
      withPresentImage(images, { ...card, can: abilitiesOf(card) }),
    /** A past state offers no actions. */
    was: async <P extends Post | PostCard>(reply: Promise<P>): Promise<P> => ({ ...(await reply), can: [] }),
  }
}

export function listHandlers({ views, images, past }: Ports): Handlers<'listPosts' | 'countPosts'> {
  const { postOf, cardOf, was } = replies(images)
  return {
    async listPosts(ask) {
      const {
        agencyId,
        params: { id: clientId },
        query: asked,
      } = ask
      const { asOf, view, cursor, limit = pageBounds.items } = asked
      const bounds = { ...pageBounds, items: limit }
      if (asOf !== undefined) {
        if (isFiltered(asked)) throw unfiltered()
        if (!(clientId in (await past.agency(agencyId, asOf)).clients)) throw notFound('This client')
        const from = { scope: { agencyId, clientId }, at: asOf, cursor, bounds }
        if (view === 'card') return past.posts(postCardsProjection, from, (card) => was(cardOf(card)), ask.charge)
        return past.posts(postsProjection, from, (post) => was(postOf(post)), ask.charge)
      }
      await mustHaveClient(ask, clientId)
      const query = listQuery(clientId, asked)
      const total = asked.q === undefined ? await views.postCards.count(query.where) : undefined
      const cards = () => views.postCards.each(query, limit < pageBounds.items ? limit + 1 : undefined)
      const { body, page } =
        view === 'card'
          ? await pageOf(cards(), cardOf, bounds)
          : await pageOf(isFiltered(asked) ? wholeOf(cards(), views.posts) : views.posts.each(query), postOf, bounds)
      return { body, page: { ...page, ...(total !== undefined && { total }) } }
    },

    async countPosts(ask) {
      const clientId = ask.params.id
      await mustHaveClient(ask, clientId)
      const counts = await Promise.all(
        postStatuses.map(async (status) => [status, await views.postCards.count({ clientId, status })] as const),
      )
      const byStatus = Object.fromEntries(counts) as PostCounts['byStatus']
      return { body: { byStatus, total: counts.reduce((sum, [, count]) => sum + count, 0) } }
    },
  }
}

const unfiltered = () =>
  new Problem(
    400,
    'invalid',
    'asOf: A past list has all posts, newest first. Leave out status, platform, q, from, to and sort',
  )

/** Whole posts that are looked up together: 65,000 characters each at most. */
const wholeAtOnce = 16

/** The posts of a list of cards; one that was deleted meanwhile is omitted. */
async function* wholeOf(
  cards: AsyncIterable<Listed<PostCardView>>,
  posts: Views['posts'],
): AsyncGenerator<Listed<PostView>> {
  let batch: Listed<PostCardView>[] = []
  async function* flush() {
    const found = await posts.getMany(batch.map(({ item }) => item.id))
    for (const { item, cursor } of batch) {
      const whole = found.get(item.id)
      if (whole) yield { item: whole, cursor }
    }
    batch = []
  }
  for await (const card of cards) {
    batch.push(card)
    if (batch.length === wholeAtOnce) yield* flush()
  }
  yield* flush()
}

/** A client's posts, page by page: whole, or as cards with the beginning of the text. */
import { abilitiesOf } from '../../../domain/post/state-table.ts'
import { postCardsProjection } from '../../../projections/posts/cards.ts'
import { postsProjection } from '../../../projections/posts/projection.ts'
import type { PostCardView, PostView } from '../../../projections/posts/view.ts'
import type { Views } from '../../../projections/registry.ts'
import type { Past } from '../history/past.ts'
import { mustHaveClient } from '../clients/routes.ts'
import type { Post, PostCard } from '../../contract/index.ts'
import type { Handlers } from '../../http/handler.ts'
import { pageOf } from '../../http/paging.ts'
import { notFound } from '../../http/problem.ts'
import { withPresentImage, type OwnAddresses } from '../media/images.ts'

interface Ports {
  readonly views: Pick<Views, 'posts' | 'postCards'>
  readonly images: OwnAddresses
  readonly past: Past
}

export function replies(images: OwnAddresses) {
  return {
    postOf: ({ agencyId: _, ...post }: PostView): Promise<Post> =>
      withPresentImage(images, { ...post, can: abilitiesOf(post) }),
    cardOf: ({ agencyId: _, ...card }: PostCardView): Promise<PostCard> =>
      withPresentImage(images, { ...card, can: abilitiesOf(card) }),
    /** A past state offers no actions. */
    was: async <P extends Post | PostCard>(reply: Promise<P>): Promise<P> => ({ ...(await reply), can: [] }),
  }
}

export function listHandlers({ views, images, past }: Ports): Handlers<'listPosts'> {
  const { postOf, cardOf, was } = replies(images)
  return {
    async listPosts(ask) {
      const {
        agencyId,
        params: { id: clientId },
        query: { asOf, view, cursor },
      } = ask
      if (asOf !== undefined) {
        if (!(clientId in (await past.agency(agencyId, asOf)).clients)) throw notFound('This client')
        const scope = { agencyId, clientId }
        if (view === 'card')
          return past.posts(postCardsProjection, scope, asOf, cursor, (card) => was(cardOf(card)), ask.charge)
        return past.posts(postsProjection, scope, asOf, cursor, (post) => was(postOf(post)), ask.charge)
      }
      await mustHaveClient(ask, clientId)
      const query = {
        where: { clientId },
        sort: { field: 'createdAt', order: 'desc' },
        ...(cursor === undefined ? {} : { cursor }),
      } as const
      const total = await views.postCards.count({ clientId })
      const { body, page } =
        view === 'card'
          ? await pageOf(views.postCards.each(query), cardOf)
          : await pageOf(views.posts.each(query), postOf)
      return { body, page: { ...page, total } }
    },
  }
}

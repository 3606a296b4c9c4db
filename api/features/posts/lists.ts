/** The posts of a client, or of all, page by page: whole, or as cards with the beginning of the text. */
import { postStatuses } from '../../../domain/post/commands.ts'
import type { Where } from '../../../projections/read-store/port.ts'
import type { Listed } from '../../../projections/core/views.ts'
import { postCardsProjection } from '../../../projections/posts/cards.ts'
import { postsProjection } from '../../../projections/posts/projection.ts'
import type { PostCardDocument, PostCardView, PostView } from '../../../projections/posts/view.ts'
import type { Views } from '../../../projections/registry.ts'
import type { Past } from '../history/past.ts'
import { ReadCost, type Charge } from '../history/read-cost.ts'
import { whereFor } from '../../core/member-scope.ts'
import { mustHaveClient } from '../clients/routes.ts'
import type { Post, PostCard, PostCounts, Routes } from '../../contract/index.ts'
import type { SearchParams } from '../../contract/route.ts'
import type { Handlers } from '../../http/handler.ts'
import { pageBounds, pageOf } from '../../http/paging.ts'
import { notFound, Problem } from '../../http/problem.ts'
import { withPresentImage, type OwnAddresses } from '../media/images.ts'
import { isFiltered, listQuery, type ListScope } from './list-query.ts'
import { pastReader, postReader, type PostReader } from './reader.ts'

interface Ports {
  readonly views: Pick<Views, 'posts' | 'postCards' | 'approvalPolicies'>
  readonly images: OwnAddresses
  readonly past: Past
}

/** A card from the view, or with its stored fields from the log. */
type AnyCard = PostCardView & Partial<PostCardDocument>

export function replies(images: OwnAddresses) {
  return {
    postOf: async (stored: PostView, reader: PostReader): Promise<Post> => {
      const { agencyId: _, textBy: __, imageBy: ___, round: ____, ...post } = stored
      return withPresentImage(images, { ...post, ...(await seenBy(reader, stored)) })
    },
    cardOf: async (stored: AnyCard, reader: PostReader): Promise<PostCard> => {
      const { agencyId: _, textBy: __, imageBy: ___, round: ____, ...rest } = stored
      const { plannedAt: _____, words: ______, origin: _______, pendingUntil: ________, ...card } = rest
      return withPresentImage(images, { ...card, ...(await seenBy(reader, stored)) })
    },
  }
}

/** What a reply says to the person who reads it. */
export const seenBy = async (reader: PostReader, post: Parameters<PostReader['canOf']>[0]) => ({
  can: await reader.canOf(post),
  steps: reader.stepsOf(post),
})

export function listHandlers({
  views,
  images,
  past,
}: Ports): Handlers<'listPosts' | 'countPosts' | 'listAllPosts' | 'countAllPosts'> {
  const { postOf, cardOf } = replies(images)

  /** @param clients those whose posts are listed: posts of a removed client are deleted only after it */
  async function pageIn(
    scope: ListScope,
    clients: readonly string[],
    asked: Asked,
    reader: PostReader,
    charge: Charge,
  ): Promise<ListAnswer> {
    const { view, limit = pageBounds.items } = asked
    const bounds = { ...pageBounds, items: limit }
    const query = { ...listQuery(scope, asked), looked: new ReadCost(charge).looked }
    const isCounted = asked.q === undefined && asked.origin === undefined && asked.waits === undefined
    const total = isCounted ? await views.postCards.count({ ...query.where, clientId: { in: clients } }) : undefined
    const present = new Set(clients)
    const isWanted = (post: PostView | PostCardView): boolean => {
      if (asked.waits === undefined) return true
      const { forMe, forClient, forNobody } = reader.waits(post)
      return { me: forMe, client: forClient, nobody: forNobody }[asked.waits]
    }
    const ofPresent =
      <P extends PostView | PostCardView, R>(shape: (post: P, reader: PostReader) => Promise<R>) =>
      (post: P) =>
        present.has(post.clientId) && isWanted(post) ? shape(post, reader) : null
    const cards = () => views.postCards.each(query, limit < pageBounds.items ? limit + 1 : undefined)
    const whole = () =>
      isFiltered(asked) || typeof scope.clientId !== 'string' ? wholeOf(cards(), views.posts) : views.posts.each(query)
    const { body, page } =
      view === 'card'
        ? await pageOf(cards(), ofPresent(cardOf), bounds)
        : await pageOf(whole(), ofPresent(postOf), bounds)
    return { body, page: { ...page, ...(total !== undefined && { total }) } }
  }

  async function countsIn(where: Where): Promise<{ readonly body: PostCounts }> {
    const counts = await Promise.all(
      postStatuses.map(async (status) => [status, await views.postCards.count({ ...where, status })] as const),
    )
    const byStatus = Object.fromEntries(counts) as PostCounts['byStatus']
    return { body: { byStatus, total: counts.reduce((sum, [, count]) => sum + count, 0) } }
  }
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
        if (view === 'card')
          return past.posts(postCardsProjection, from, (card) => cardOf(card, pastReader), ask.charge)
        return past.posts(postsProjection, from, (post) => postOf(post, pastReader), ask.charge)
      }
      await mustHaveClient(ask, clientId)
      const reader = postReader(views, agencyId, await ask.loadAgency(), ask.by.actor)
      return pageIn({ agencyId, clientId }, [clientId], assignedTo(asked, ask.me.id), reader, ask.charge)
    },

    async countPosts(ask) {
      const clientId = ask.params.id
      await mustHaveClient(ask, clientId)
      return countsIn({ agencyId: ask.agencyId, clientId })
    },

    async listAllPosts({ agencyId, me, by, loadAgency, query, charge }) {
      const agency = await loadAgency()
      const reader = postReader(views, agencyId, agency, by.actor)
      return pageIn(
        whereFor(agencyId, me.clients),
        Object.keys(agency.clients),
        assignedTo(query, me.id),
        reader,
        charge,
      )
    },

    async countAllPosts({ agencyId, loadAgency }) {
      return countsIn({ agencyId, clientId: { in: Object.keys((await loadAgency()).clients) } })
    },
  }
}

interface ListAnswer {
  readonly body: Post[] | PostCard[]
  readonly page: { readonly next: string | null; readonly total?: number }
}

type Asked = Omit<SearchParams<Routes['listPosts']>, 'asOf'>

const assignedTo = (asked: Asked, memberId: string): Asked =>
  asked.assigned === 'me' ? { ...asked, assigned: memberId } : asked

const unfiltered = () =>
  new Problem(
    400,
    'invalid',
    'asOf: A past list has all posts, newest first. Leave out status, platform, origin, assigned, waits, q, from, to and sort',
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

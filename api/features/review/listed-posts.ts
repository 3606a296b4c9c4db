/** Which posts a review link shows: never another client's, and no draft that was not submitted. */
import { platforms } from '../../../domain/core/values.ts'
import { postStatuses } from '../../../domain/post/commands.ts'
import type { PostCardView } from '../../../projections/posts/view.ts'
import type { ReviewView } from '../../../projections/reviews/view.ts'
import type { Views } from '../../../projections/registry.ts'
import type { AggregateScope } from '../../core/aggregates.ts'
import type { Commands } from '../../core/commands.ts'
import { mappedInOrder } from '../../core/map-in-order.ts'
import { monthSpan } from '../../core/time-zone.ts'
import type { FoundLink } from './access.ts'
import { isCurrent, versionOf } from './versions.ts'

export interface ListPorts {
  readonly commands: Commands
  readonly views: Pick<Views, 'postCards' | 'reviews'>
}

export interface ListedPost {
  readonly card: PostCardView & { readonly plannedAt?: string }
  /** What was judged through the link; null: nothing yet. */
  readonly review: ReviewView | null
  /** The reviewer has judged it, or it waits for no verdict. */
  readonly isDone: boolean
}

/** Of one link. */
const maxListed = 300

/**
 * The next posts to judge first, by their planned time.
 * @param only a post: the others are neither loaded nor listed
 */
export async function listedPosts(
  { commands, views }: ListPorts,
  { token, terms, agency, reviewerId }: FoundLink,
  from: AggregateScope,
  only?: string,
): Promise<readonly ListedPost[]> {
  const { linkId, agencyId, clientId } = token
  const reviews = await views.reviews.find({ where: { linkId }, limit: maxListed })
  const judged = new Map(reviews.map((review) => [review.postId, review]))
  const isAsked = (id: string) => only === undefined || id === only
  const all = await cards()
  const own = all.filter((card) => card.agencyId === agencyId && card.clientId === clientId)
  const submitted = await filtered(own.slice(0, maxListed), async ({ id, status }) => {
    if (status === 'pending' || status === 'rejected' || (judged.has(id) && status !== 'draft')) return true
    return versionOf((await commands.loadPost(id, from)).state) > 0
  })
  const listed = await mappedInOrder(submitted, async (card): Promise<ListedPost> => {
    const review = judged.get(card.id) ?? null
    return { card, review, isDone: card.status !== 'pending' || (await isJudged(card.id, review)) }
  })
  return listed.toSorted(byTurn)

  async function cards(): Promise<readonly PostCardView[]> {
    const { scope } = terms
    const planned = (where: object, status: readonly string[]) =>
      views.postCards.find({
        where: {
          agencyId,
          clientId,
          status: { in: status },
          platform: { in: platforms },
          ...where,
          ...(only !== undefined && { id: only }),
        },
        sort: { field: 'plannedAt', order: 'asc' },
        limit: maxListed,
      })
    const byId = async (ids: readonly string[]) => [...(await views.postCards.getMany(ids.filter(isAsked))).values()]
    if (scope.kind === 'posts') return byId(scope.postIds)
    if (scope.kind === 'month') {
      const { from: gte, to: lt } = monthSpan(scope.month, agency.timeZone)
      return planned({ plannedAt: { gte, lt } }, postStatuses)
    }
    const pending = await planned({}, ['pending'])
    const known = new Set(pending.map(({ id }) => id))
    return [...pending, ...(await byId(reviews.map(({ postId }) => postId).filter((id) => !known.has(id))))]
  }

  async function isJudged(postId: string, review: ReviewView | null): Promise<boolean> {
    const mine = review?.verdicts.find((verdict) => verdict.reviewerId === reviewerId)
    if (!mine) return false
    const { state: post } = await commands.loadPost(postId, from)
    return isCurrent(post, (await commands.loadClient(post.clientId, from)).state, mine)
  }
}

async function filtered<T>(items: readonly T[], isWanted: (item: T) => Promise<boolean>): Promise<T[]> {
  const wanted = await mappedInOrder(items, isWanted)
  return items.filter((_, at) => wanted[at])
}

/** Posts to judge come first; then by time. */
const byTurn = (a: ListedPost, b: ListedPost): number => {
  const [one, two] = [turnOf(a), turnOf(b)]
  return one < two ? -1 : one > two ? 1 : 0
}

/** Where a post is in the list. The time of a draft is the agency's own. */
export const turnOf = ({ isDone, card: { id, status, scheduledFor } }: ListedPost): string =>
  `${isDone ? 1 : 0} ${(status === 'draft' ? null : scheduledFor) ?? '9999'} ${id}`

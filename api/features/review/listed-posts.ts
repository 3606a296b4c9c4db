/** Which posts a review link shows: never another client's, and no draft that was not submitted. */
import { platforms } from '../../../domain/core/values.ts'
import { postStatuses, type PostStatus } from '../../../domain/post/commands.ts'
import {
  neverPending,
  stillPending,
  type PostCardDocument,
  type PostCardView,
} from '../../../projections/posts/view.ts'
import type { Where } from '../../../projections/read-store/port.ts'
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
  readonly views: Pick<Views, 'postCards' | 'reviewLinks' | 'reviews'>
}

type Card = PostCardView & Partial<Pick<PostCardDocument, 'plannedAt' | 'pendingUntil'>>

export interface ListedPost {
  readonly card: Card
  /** What was judged through the link; null: nothing yet. */
  readonly review: ReviewView | null
  /** The reviewer has judged it, or it waits for no verdict. */
  readonly isDone: boolean
}

/** Of one link: those to judge first, and then those that were pending last. */
const maxListed = 300

/**
 * The next posts to judge first, by their planned time.
 * @param only posts: the others are neither loaded nor listed, and any that the link shows is found
 */
export async function listedPosts(
  { commands, views }: ListPorts,
  { token, terms: { scope }, agency, reviewerId }: FoundLink,
  from: AggregateScope,
  only?: readonly string[],
): Promise<readonly ListedPost[]> {
  const { linkId, agencyId, clientId } = token
  const reviews = await reviewsOf()
  const judged = new Map(reviews.map((review) => [review.postId, review]))
  const isOwn = (card: Card) => card.agencyId === agencyId && card.clientId === clientId
  const all = new Map((await cards()).filter(isOwn).map((card) => [card.id, card]))
  const submitted = await filtered([...all.values()].slice(0, maxListed), async ({ id, status, pendingUntil }) => {
    if (status === 'pending' || status === 'rejected' || (judged.has(id) && status !== 'draft')) return true
    return (pendingUntil ?? neverPending) > neverPending || versionOf((await commands.loadPost(id, from)).state) > 0
  })
  const listed = await mappedInOrder(submitted, async (card): Promise<ListedPost> => {
    const review = judged.get(card.id) ?? null
    return { card, review, isDone: card.status !== 'pending' || (await isJudged(card.id, review)) }
  })
  return listed.toSorted(byTurn)

  /** Those of the newest posts first. */
  async function reviewsOf(): Promise<readonly ReviewView[]> {
    if (only) return [...(await views.reviews.getMany(only.map((id) => `${linkId}:${id}`))).values()]
    return views.reviews.find({ where: { linkId }, sort: { field: 'id', order: 'desc' }, limit: maxListed })
  }

  async function cards(): Promise<readonly Card[]> {
    if (scope.kind === 'posts') return byId(only ? scope.postIds.filter((id) => only.includes(id)) : scope.postIds)
    const rule = scope.kind === 'month' ? inMonth(monthSpan(scope.month, agency.timeZone)) : await pendingUnderIt()
    // What was judged through the link stays on it, wherever the agency moves it.
    if (only) return (await byId(only)).filter((card) => judged.has(card.id) || rule.isShown(card))
    const [pending, others, judgedOnes] = await Promise.all([rule.pending(), rule.others(), byId([...judged.keys()])])
    return [...pending, ...[...others, ...judgedOnes].toSorted(latestPendingFirst)]
  }

  function inMonth({ from: gte, to: lt }: ReturnType<typeof monthSpan>): Rule {
    const plannedAt = { gte, lt }
    return {
      isShown: (card) => card.plannedAt !== undefined && card.plannedAt >= gte && card.plannedAt < lt,
      pending: () => planned(['pending'], { plannedAt }),
      others: () => planned(decided, { plannedAt }),
    }
  }

  async function pendingUnderIt(): Promise<Rule> {
    const since = (await views.reviewLinks.get(linkId))?.issuedAt ?? stillPending
    return {
      isShown: ({ pendingUntil }) => pendingUntil !== undefined && pendingUntil >= since,
      pending: () => planned(['pending'], {}),
      others: () =>
        views.postCards.find({
          where: { agencyId, clientId, pendingUntil: { gte: since, lt: stillPending } },
          sort: { field: 'pendingUntil', order: 'desc' },
          limit: maxListed,
        }),
    }
  }

  function planned(status: readonly PostStatus[], where: Where): Promise<readonly Card[]> {
    return views.postCards.find({
      where: { agencyId, clientId, status: { in: status }, platform: { in: platforms }, ...where },
      sort: { field: 'plannedAt', order: 'asc' },
      limit: maxListed,
    })
  }

  async function byId(ids: readonly string[]): Promise<readonly Card[]> {
    return [...(await views.postCards.getMany(ids)).values()]
  }

  async function isJudged(postId: string, review: ReviewView | null): Promise<boolean> {
    const mine = review?.verdicts.find((verdict) => verdict.reviewerId === reviewerId)
    if (!mine) return false
    const { state: post } = await commands.loadPost(postId, from)
    return isCurrent(post, (await commands.loadClient(post.clientId, from)).state, mine)
  }
}

/** Which posts a link shows that names none, beside those that were judged through it. */
interface Rule {
  readonly isShown: (card: Card) => boolean
  readonly pending: () => Promise<readonly Card[]>
  readonly others: () => Promise<readonly Card[]>
}

const decided = postStatuses.filter((status) => status !== 'pending')

async function filtered<T>(items: readonly T[], isWanted: (item: T) => Promise<boolean>): Promise<T[]> {
  const wanted = await mappedInOrder(items, isWanted)
  return items.filter((_, at) => wanted[at])
}

const latestPendingFirst = ({ pendingUntil: a = neverPending }: Card, { pendingUntil: b = neverPending }: Card) =>
  a > b ? -1 : a < b ? 1 : 0

/** Posts to judge come first; then by time. */
const byTurn = (a: ListedPost, b: ListedPost): number => {
  const [one, two] = [turnOf(a), turnOf(b)]
  return one < two ? -1 : one > two ? 1 : 0
}

/** Where a post is in the list. The time of a draft is the agency's own. */
export const turnOf = ({ isDone, card: { id, status, scheduledFor } }: ListedPost): string =>
  `${isDone ? 1 : 0} ${(status === 'draft' ? null : scheduledFor) ?? '9999'} ${id}`

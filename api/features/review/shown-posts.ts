/** The posts of a review link, as its reviewer sees them: submitted versions and stored images only. */
import { isClientsTurnAhead } from '../../../domain/core/approval-round.ts'
import { imageHash, textHash } from '../../../domain/discussion/hashes.ts'
import type { Discussion } from '../../../domain/discussion/state.ts'
import type { Post } from '../../../domain/post/state.ts'
import { may as canBe } from '../../../domain/post/state-table.ts'
import type { ReviewAbility } from '../../../domain/review-link/commands.ts'
import type { ReviewedPost } from '../../contract/index.ts'
import { AggregateScope } from '../../core/aggregates.ts'
import type { Commands } from '../../core/commands.ts'
import { mappedInOrder } from '../../core/map-in-order.ts'
import { notFound } from '../../http/problem.ts'
import { wrongCursor } from '../../http/paging.ts'
import type { LogReads } from '../history/log-reads.ts'
import type { Images } from '../media/images.ts'
import type { FoundLink } from './access.ts'
import { listedPosts, turnOf, type ListedPost, type ListPorts } from './listed-posts.ts'
import type { Reviewers } from './reviewers.ts'
import {
  isClientsTurnOn,
  isCurrent,
  replacedVersion,
  submittedVersion,
  versionOf,
  versionsWith,
  visibleHash,
  visibleVersion,
  type SubmittedVersion,
} from './versions.ts'

export interface ShownPostPorts {
  readonly commands: Commands
  readonly views: ListPorts['views']
  readonly images: Pick<Images, 'publicUrlOf'>
  readonly reads: LogReads
  readonly people: Pick<Reviewers, 'get'>
}

const pageSize = 20

interface Page {
  readonly posts: ReviewedPost[]
  readonly total: number
  readonly done: number
  readonly next: string | null
}

export function reviewedPosts(ports: ShownPostPorts) {
  const { commands, images, reads, people } = ports
  const { events } = commands.ports
  const addressOf = (image: SubmittedVersion['image']) => (image === null ? null : images.publicUrlOf(image.hash))

  async function shown(found: FoundLink, { card, review }: ListedPost, from: AggregateScope): Promise<ReviewedPost> {
    const { state: post } = await commands.loadPost(card.id, from)
    const { state: client } = await commands.loadClient(post.clientId, from)
    const version = versionOf(post)
    const now = visibleVersion(post)
    const { state: discussion } = await commands.loadDiscussion(card.id, from)
    const { reviewerId } = found
    const mine = review?.verdicts.find((verdict) => verdict.reviewerId === reviewerId) ?? null
    const isDecided = mine !== null && isCurrent(post, client, mine)
    const before = (reviewerId === null ? undefined : (await people.get(reviewerId))?.seen[card.id]) ?? mine?.version
    const isEarlier = before !== undefined && before < version
    const seen = isEarlier
      ? await submittedVersion(events, card.id, before)
      : before === version
        ? replacedVersion(post)
        : null
    return {
      id: card.id,
      platform: post.platform,
      accountName: client.accounts[post.accountId]?.accountName ?? '',
      content: now.content,
      imageUrl: addressOf(now.image),
      scheduledFor: now.scheduledFor,
      status: post.status,
      held: post.isHeldByClient ? 'client-asked' : heldFor(card),
      url: post.url,
      version,
      hash: visibleHash(post, client),
      textHash: textHash(now.content),
      imageHash: now.image && imageHash(now),
      ...countsOf(found, discussion),
      verdict: mine && { verdict: mine.verdict, version: mine.version, at: mine.at, isCurrent: isDecided },
      seen: seen && { version: seen.version, content: seen.content, imageUrl: addressOf(seen.image) },
      can: canOf(found, post, isDecided ? mine.verdict : null),
      isStep: isClientsTurnOn(post),
      isStepAhead: post.status === 'pending' && post.round !== undefined && isClientsTurnAhead(post.round),
    }
  }

  const inTurn = <T>({ token }: FoundLink, work: (from: AggregateScope) => Promise<T>): Promise<T> =>
    reads.run(`review ${token.linkId}`, () => work(commands.newScope()))

  return {
    /** @throws Problem 400 for a cursor of another list, 429 when too many read */
    page: (found: FoundLink, cursor: string | undefined): Promise<Page> =>
      inTurn(found, async (from) => {
        const after = cursor === undefined ? '' : placeOf(cursor)
        const listed = await listedPosts(ports, found, from)
        const rest = listed.filter((each) => turnOf(each) > after)
        const posts = await mappedInOrder(rest.slice(0, pageSize), (each) => shown(found, each, from))
        const last = rest.length > pageSize ? rest[pageSize - 1] : undefined
        return {
          posts,
          total: listed.length,
          done: listed.filter(({ isDone }) => isDone).length,
          next: last === undefined ? null : Buffer.from(turnOf(last)).toString('base64url'),
        }
      }),

    /** @throws Problem 404 for a post that the link doesn't show */
    one: (found: FoundLink, postId: string): Promise<ReviewedPost> =>
      inTurn(found, async (from) => {
        const [listed] = await listedPosts(ports, found, from, [postId])
        if (!listed) throw notFound('This post')
        return shown(found, listed, from)
      }),

    /** Those that comments are about, by hash: only the client's. */
    versionsWith: (found: FoundLink, postId: string, hashes: ReadonlySet<string>) =>
      inTurn(found, () => versionsWith(events, postId, hashes)),

    /** The current versions of those posts that the link shows. */
    versions: (found: FoundLink, seen: readonly { readonly postId: string; readonly version: number }[]) =>
      inTurn(found, async (from) => {
        const asked = [...new Set(seen.map(({ postId }) => postId))]
        const listed = new Set((await listedPosts(ports, found, from, asked)).map(({ card }) => card.id))
        const shownOnes = await mappedInOrder(
          seen.filter(({ postId }) => listed.has(postId)),
          async (one) => ({ ...one, current: versionOf((await commands.loadPost(one.postId, from)).state) }),
        )
        return Object.fromEntries(
          shownOnes.flatMap(({ postId, version, current }) => (version <= current ? [[postId, version]] : [])),
        ) as Readonly<Record<string, number>>
      }),
  }
}

/** Whether the people of a link read comments. */
export const takesPart = (may: readonly ReviewAbility[]): boolean => may.includes('comment') || may.includes('suggest')

/** Of the comments for the client: those for the team change neither. */
function countsOf(
  { terms: { may } }: FoundLink,
  { comments }: Discussion,
): Pick<ReviewedPost, 'comments' | 'commentChanges'> {
  if (!takesPart(may)) return { comments: 0, commentChanges: 0 }
  const own = comments.filter(({ audience }) => audience === 'client')
  return {
    comments: own.filter(({ isRemoved }) => !isRemoved).length,
    commentChanges: own.reduce((sum, { edits, isRemoved }) => sum + 1 + edits + (isRemoved ? 1 : 0), 0),
  }
}

function canOf(
  { terms: { may } }: FoundLink,
  post: Post,
  given: 'approve' | 'changes' | 'hold' | null,
): ReviewedPost['can'] {
  const isPending = post.status === 'pending'
  const can: ReviewedPost['can'] = []
  if (may.includes('approve') && isPending) can.push(...(given === 'approve' ? [] : (['approve'] as const)), 'changes')
  if (may.includes('hold') && !post.isHeldByClient && canBe('reschedule', post)) can.push('hold')
  if (may.includes('comment')) can.push('comment')
  if (may.includes('suggest') && isPending) can.push('suggest')
  return can
}

/** Why the agency's posts wait, apart from a client's wish, is its own affair. */
const heldFor = ({ heldBecause }: ListedPost['card']): ReviewedPost['held'] =>
  heldBecause === null || heldBecause === 'client-asked' ? heldBecause : 'other'

/** @throws Problem 400 */
function placeOf(cursor: string): string {
  const bytes = Buffer.from(cursor, 'base64url')
  const text = bytes.toString()
  if (bytes.toString('base64url') !== cursor || !/^[01] /.test(text)) throw wrongCursor()
  return text
}

export type ReviewedPosts = ReturnType<typeof reviewedPosts>

/** What reviewers read of a discussion, and write to the agency: comments for the client alone. */
import type { Actor } from '../../../domain/core/event.ts'
import { textHash } from '../../../domain/discussion/hashes.ts'
import { commentIn, type Comment, type Discussion } from '../../../domain/discussion/state.ts'
import type { PostComment, ReviewComment, ReviewedPost } from '../../contract/index.ts'
import type { AggregateScope } from '../../core/aggregates.ts'
import type { Handlers } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { problemOf } from '../../http/sentences.ts'
import type { Users } from '../auth/users.ts'
import { commentReply, commentsFor, publicReader, type CommentsOf } from '../comments/comments-for.ts'
import type { CommentWordsTable } from '../comments/words.ts'
import { commentWriting } from '../comments/writing.ts'
import type { PostOffice } from '../mail/post-office.ts'
import { actingReviewer, openLink, type AccessPorts, type Asked, type FoundLink } from './access.ts'
import { toldToClients } from './refusals.ts'
import { shownTo } from './shown-comments.ts'
import { takesPart, type ReviewedPosts } from './shown-posts.ts'
import { tellOfReview } from './verdict-letters.ts'
import { visibleVersion, type SubmittedVersion } from './versions.ts'

interface Ports extends AccessPorts {
  readonly posts: Pick<ReviewedPosts, 'one' | 'versionsWith'>
  readonly commentWords: CommentWordsTable
  readonly users: Pick<Users, 'nameForOthers'>
  readonly publicUrl: string
  readonly postOffice: Pick<PostOffice, 'tell'>
}

type Names = 'listReviewComments' | 'commentAsReviewer' | 'editReviewComment' | 'removeReviewComment'
type Asking = Asked & { readonly body: { readonly postId: string } }
type AskingOne = Asking & { readonly body: { readonly commentId: string }; readonly requestId: string }

export function reviewerCommentHandlers(ports: Ports): Handlers<Names> {
  const { commands, posts, commentWords: words, users, reviewRecords } = ports
  const { people, erased } = reviewRecords
  const undoIfErased = (authorId: string, undo: () => Promise<unknown>) => erased.undoIf(authorId, undo)
  const writing = commentWriting({ commands, words, undoIfErased })
  const nameOf = ({ type, id }: Actor) => (type === 'user' ? users.nameForOthers(id) : people.nameOf(id))

  /** @throws Problem 403, 404 */
  async function mayTakePart(ask: Asking): Promise<{ readonly found: FoundLink; readonly shown: ReviewedPost }> {
    const found = await openLink(ports, ask)
    if (!takesPart(found.terms.may)) throw notByThisLink()
    return { found, shown: await posts.one(found, ask.body.postId) }
  }

  /** The post as the client sees it: a text that was not submitted is compared with none of theirs. */
  async function seenOf(postId: string, scope: AggregateScope): Promise<SubmittedVersion> {
    return visibleVersion((await commands.loadPost(postId, scope)).state)
  }

  async function replies(
    found: FoundLink,
    { postId, post }: Pick<CommentsOf, 'postId'> & { readonly post: SubmittedVersion },
    comments: readonly PostComment[],
  ): Promise<ReviewComment[]> {
    const earlier = comments.flatMap(({ anchor, isEarlierVersion }) =>
      anchor && isEarlierVersion ? [anchor.contentHash] : [],
    )
    const versions = await posts.versionsWith(found, postId, new Set(earlier))
    return comments.map((comment) => shownTo(found.reviewerId, comment, post, versions))
  }

  /** An own comment. One for the team is as unknown as one that never was. @throws Problem 403, 404 */
  async function mustBeTheirs(ask: AskingOne) {
    const { found } = await mayTakePart(ask)
    const { postId, commentId } = ask.body
    const scope = commands.newScope()
    const { state } = await commands.loadDiscussion(postId, scope)
    const comment = commentIn(state, commentId)
    if (comment?.audience !== 'client') throw problemOf({ reason: 'comment-unknown' })
    if (comment.author?.type !== 'reviewer' || comment.author.id !== found.reviewerId)
      throw problemOf({ reason: 'comment-of-another' })
    const actor = { type: 'reviewer', id: found.reviewerId } as const
    const by = { actor, agencyId: found.token.agencyId, correlationId: ask.requestId }
    return { found, comment, by, scope }
  }

  async function replyAbout(
    found: FoundLink,
    postId: string,
    post: SubmittedVersion,
    discussion: Discussion,
    commentId: string,
  ): Promise<ReviewComment> {
    const comment = commentIn(discussion, commentId)
    if (!comment) throw problemOf({ reason: 'comment-unknown' })
    const reply = await commentReply({ words, nameOf }, { postId, post, discussion }, comment, publicReader)
    const [shown] = await replies(found, { postId, post }, [reply])
    if (!shown) throw problemOf({ reason: 'comment-unknown' })
    return shown
  }

  return {
    async listReviewComments(ask) {
      const { found } = await mayTakePart(ask)
      const { postId, cursor } = ask.body
      const scope = commands.newScope()
      const [post, { state: discussion }] = await Promise.all([
        seenOf(postId, scope),
        commands.loadDiscussion(postId, scope),
      ])
      const of = { postId, post, discussion }
      const { body, page } = await commentsFor('client', { words, nameOf }, of, publicReader, cursor)
      return { body: { comments: await replies(found, of, body), next: page.next } }
    },

    async commentAsReviewer(ask) {
      // Before the record of the person: a post of another client leaves no trace.
      const { found, shown } = await mayTakePart(ask)
      const { agencyId, clientId, linkId } = found.token
      const { postId, commentId, parentId, text = '', anchor, suggestion } = ask.body
      const scope = commands.newScope()
      const { state: before } = await commands.loadDiscussion(postId, scope)
      const known = commentIn(before, commentId)
      if (text === '' && !suggestion) throw new Problem(400, 'invalid', 'Text: Required without a suggestion')
      mustAllow(found, shown, suggestion !== null, known)
      // A comment for the team is as unknown as one that never was.
      if (parentId !== null && commentIn(before, parentId)?.audience !== 'client')
        throw problemOf({ reason: 'comment-unknown' })
      const reviewerId = await actingReviewer(ports, found)
      const by = { actor: { type: 'reviewer', id: reviewerId }, agencyId, correlationId: ask.requestId } as const
      const comment = { commentId, parentId, text, audience: 'client', anchor, suggestion, mentions: [] } as const
      const seen = await seenOf(postId, scope)
      const posting = writing.post(postId, clientId, comment, by, scope, seen)
      const discussion = await toldToClients(posting, found.agency).catch((error: unknown) =>
        Promise.reject(withCurrent(error, seen)),
      )
      if (known === null) {
        await people.commentedOn(reviewerId, postId)
        await tellOfReview(ports, { linkId, agencyId, clientId, agency: found.agency }, postId)
      }
      return { body: await replyAbout({ ...found, reviewerId }, postId, seen, discussion, commentId) }
    },

    async editReviewComment(ask) {
      const { found, comment, by, scope } = await mustBeTheirs(ask)
      const { postId, text } = ask.body
      const editing = writing.edit(postId, comment, { text, mentions: [] }, by, scope)
      const discussion = await toldToClients(editing, found.agency)
      return { body: await replyAbout(found, postId, await seenOf(postId, scope), discussion, comment.id) }
    },

    async removeReviewComment(ask) {
      const { found, comment, by, scope } = await mustBeTheirs(ask)
      await toldToClients(writing.remove(ask.body.postId, comment, by, scope), found.agency)
      return {}
    },
  }
}

const notByThisLink = () => new Problem(403, 'not-by-this-link', "This link doesn't allow that.")

/** Those that were sent before stay what they are. @throws Problem 403, 409 */
function mustAllow({ terms: { may } }: FoundLink, { can }: ReviewedPost, suggests: boolean, known: Comment | null) {
  if (!may.includes(suggests ? 'suggest' : 'comment')) throw notByThisLink()
  if (suggests && known === null && !can.includes('suggest'))
    throw new Problem(409, 'takes-no-suggestions', "The post doesn't wait for approval, so it takes no suggestions.")
}

/** So that nothing that was typed is lost: the page shows the text that the post now has beside it. */
function withCurrent(error: unknown, { content, version }: SubmittedVersion): unknown {
  if (!(error instanceof Problem) || error.type !== 'commented-text-changed') return error
  const current = { content, textHash: textHash(content), version }
  return new Problem(409, error.type, error.message, {}, undefined, { current })
}

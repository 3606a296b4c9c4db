/** What reviewers read of a discussion, and write to the agency: comments for the client alone. */
import type { Actor } from '../../../domain/core/event.ts'
import { commentIn } from '../../../domain/discussion/state.ts'
import type { PostComment, ReviewComment } from '../../contract/index.ts'
import type { Handlers } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { problemOf } from '../../http/sentences.ts'
import type { Users } from '../auth/users.ts'
import { commentReply, commentsFor, publicReader } from '../comments/comments-for.ts'
import type { CommentWordsTable } from '../comments/words.ts'
import { commentWriting } from '../comments/writing.ts'
import type { PostOffice } from '../mail/post-office.ts'
import { actingReviewer, openLink, type AccessPorts, type Asked, type FoundLink } from './access.ts'
import type { ReviewedPosts } from './shown-posts.ts'
import { tellOfReview } from './verdict-letters.ts'

interface Ports extends AccessPorts {
  readonly posts: Pick<ReviewedPosts, 'one'>
  readonly commentWords: CommentWordsTable
  readonly users: Pick<Users, 'nameForOthers'>
  readonly publicUrl: string
  readonly postOffice: Pick<PostOffice, 'tell'>
}

export function reviewerCommentHandlers(ports: Ports): Handlers<'listReviewComments' | 'commentAsReviewer'> {
  const { commands, posts, commentWords: words, users, reviewRecords } = ports
  const { people } = reviewRecords
  const writing = commentWriting({ commands, words })
  const nameOf = ({ type, id }: Actor) => (type === 'user' ? users.nameForOthers(id) : people.nameOf(id))

  /** @throws Problem 403, 404 */
  async function mayComment(ask: Asked & { readonly body: { readonly postId: string } }): Promise<FoundLink> {
    const found = await openLink(ports, ask)
    if (!found.terms.may.includes('comment'))
      throw new Problem(403, 'not-by-this-link', "This link doesn't allow that.")
    await posts.one(found, ask.body.postId)
    return found
  }

  return {
    async listReviewComments(ask) {
      const { reviewerId } = await mayComment(ask)
      const { postId, cursor } = ask.body
      const scope = commands.newScope()
      const [{ state: post }, { state: discussion }] = await Promise.all([
        commands.loadPost(postId, scope),
        commands.loadDiscussion(postId, scope),
      ])
      const of = { postId, post, discussion }
      const { body, page } = await commentsFor('client', { words, nameOf }, of, publicReader, cursor)
      return { body: { comments: body.map((comment) => shownTo(reviewerId, comment)), next: page.next } }
    },

    async commentAsReviewer(ask) {
      // Before the record of the person: a post of another client leaves no trace.
      const found = await mayComment(ask)
      const { agencyId, clientId, linkId } = found.token
      const { postId, commentId, parentId, text } = ask.body
      const scope = commands.newScope()
      const { state: before } = await commands.loadDiscussion(postId, scope)
      // A comment for the team is as unknown as one that never was.
      if (parentId !== null && commentIn(before, parentId)?.audience !== 'client')
        throw problemOf({ reason: 'comment-unknown' })
      const reviewerId = await actingReviewer(ports, found)
      const by = { actor: { type: 'reviewer', id: reviewerId }, agencyId, correlationId: ask.requestId } as const
      const comment = { commentId, parentId, text, audience: 'client', anchor: null, suggestion: null } as const
      const discussion = await writing.post(postId, clientId, { ...comment, mentions: [] }, by, scope)
      if (commentIn(before, commentId) === null) {
        await people.commentedOn(reviewerId, postId)
        await tellOfReview(ports, { linkId, agencyId, clientId, agency: found.agency }, postId)
      }
      const posted = commentIn(discussion, commentId)
      if (!posted) throw problemOf({ reason: 'comment-unknown' })
      const { state: post } = await commands.loadPost(postId, scope)
      const reply = await commentReply({ words, nameOf }, { postId, post, discussion }, posted, publicReader)
      return { body: shownTo(reviewerId, reply) }
    },
  }
}

/** Field by field: what members' replies get later is in no public one by itself. */
function shownTo(
  reviewerId: string | null,
  { id, parentId, author: { kind, id: authorId, name }, postedAt: at, editedAt, state, text }: PostComment,
): ReviewComment {
  const isYours = kind === 'reviewer' && authorId === reviewerId
  return { id, parentId, author: { kind, name }, isYours, at, edited: editedAt !== null, state, text }
}

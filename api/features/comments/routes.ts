/** The comments of an agency's members on a post. */
import { isAtLeast, isForAllClients } from '../../../domain/agency/roles.ts'
import type { Actor } from '../../../domain/core/event.ts'
import { imageHash, textHash } from '../../../domain/discussion/hashes.ts'
import { commentIn, type Comment, type Discussion } from '../../../domain/discussion/state.ts'
import type { Post } from '../../../domain/post/state.ts'
import type { Commands } from '../../core/commands.ts'
import { accepted, type Handlers, type OfAgency } from '../../http/handler.ts'
import { notFound } from '../../http/problem.ts'
import { problemOf } from '../../http/sentences.ts'
import type { Users } from '../auth/users.ts'
import type { Past } from '../history/past.ts'
import { presentUrlOf, type OwnAddresses } from '../media/images.ts'
import { commentReply, commentsFor, type CommentReader } from './comments-for.ts'
import { mentionLetters, type MentionPorts } from './mention-letters.ts'
import { commentedVersion } from './version.ts'
import { provenText, wordsId, type CommentWordsTable } from './words.ts'
import { commentWriting } from './writing.ts'

export interface CommentPorts extends MentionPorts {
  readonly commands: Commands
  readonly commentWords: CommentWordsTable
  readonly users: Users
  readonly images: OwnAddresses
  readonly past: Past
  readonly reviewRecords: { readonly people: { nameOf(reviewerId: string): Promise<string> } }
}

type Names =
  | 'listComments'
  | 'postComment'
  | 'editComment'
  | 'removeComment'
  | 'takeOverSuggestion'
  | 'getCommentedVersion'
type Asking = OfAgency & { readonly params: { readonly id: string } }

export function commentHandlers(ports: CommentPorts): Handlers<Names> {
  const { commands, commentWords: words, users, images, past } = ports
  const writing = commentWriting({ commands, words })
  const tellMentioned = mentionLetters(ports)
  const nameOf = ({ type, id }: Actor) => (type === 'user' ? users.nameOf(id) : ports.reviewRecords.people.nameOf(id))
  const shownUrl = async (imageUrl: string | null) => (imageUrl === null ? null : presentUrlOf(images, imageUrl))

  /** A post of another agency or client gets the same answer as an unknown one. */
  async function mustHavePost({ params, aggregates, loadAgency }: Asking): Promise<Post> {
    const [{ state }, { clients }] = await Promise.all([commands.loadPost(params.id, aggregates), loadAgency()])
    if (!state.exists || state.deleted || !(state.clientId in clients)) throw notFound('This post')
    return state
  }

  async function mustHaveComment(ask: Asking & { readonly params: { readonly commentId: string } }) {
    const [post, { state: discussion }] = await Promise.all([
      mustHavePost(ask),
      commands.loadDiscussion(ask.params.id, ask.aggregates),
    ])
    const comment = commentIn(discussion, ask.params.commentId)
    if (!comment) throw notFound('This comment')
    return { post, comment, discussion }
  }

  const readerOf = ({ me, by }: OfAgency, { status }: Post): CommentReader => ({
    actor: by.actor,
    mayComment: isAtLeast(me.role, 'writer'),
    mayModerate: isForAllClients(me.role),
    mayTakeOver: isAtLeast(me.role, 'writer') && (status === 'draft' || status === 'pending' || status === 'rejected'),
  })

  async function shown(ask: Asking, post: Post, discussion: Discussion, commentId: string) {
    const comment = commentIn(discussion, commentId)
    if (!comment) throw notFound('This comment')
    return commentReply({ words, nameOf }, { postId: ask.params.id, post, discussion }, comment, readerOf(ask, post))
  }

  return {
    async listComments(ask) {
      const { id: postId } = ask.params
      const [post, { state: discussion }] = await Promise.all([
        mustHavePost(ask),
        commands.loadDiscussion(postId, ask.aggregates),
      ])
      const of = { postId, post, discussion }
      const { body, page } = await commentsFor('team', { words, nameOf }, of, readerOf(ask, post), ask.query.cursor)
      return {
        body: {
          content: post.content,
          textHash: textHash(post.content),
          imageUrl: await shownUrl(post.imageUrl),
          imageHash: imageHash(post),
          comments: body,
          next: page.next,
        },
      }
    },

    async postComment(ask) {
      const post = await mustHavePost(ask)
      const { commentId, mentions } = ask.body
      const discussion = await writing.post(ask.params.id, post.clientId, ask.body, ask.by, ask.aggregates)
      await tell(ask, post, commentId, mentions)
      return { body: await shown(ask, post, discussion, commentId) }
    },

    async editComment(ask) {
      const { post, comment } = await mustHaveComment(ask)
      const discussion = await writing.edit(ask.params.id, comment, ask.body, ask.by, ask.aggregates)
      const isNew = (memberId: string) => !comment.mentions.includes(memberId)
      await tell(ask, post, comment.id, ask.body.mentions.filter(isNew))
      return { body: await shown(ask, post, discussion, ask.params.commentId) }
    },

    async removeComment(ask) {
      const { comment } = await mustHaveComment(ask)
      await writing.remove(ask.params.id, comment, ask.by, ask.aggregates)
      return {}
    },

    async takeOverSuggestion(ask) {
      const { id, commentId } = ask.params
      const { post, comment, discussion } = await mustHaveComment(ask)
      const content = await suggestedText(id, comment)
      if (!comment.suggestion || content === null) throw notFound('This suggestion')
      if (content !== post.content && textHash(post.content) !== comment.suggestion.contentHash)
        throw problemOf({ reason: 'commented-text-changed' })
      // For this version of the post alone: another text has another suggestion.
      const { head } = await commands.loadPost(id, ask.aggregates)
      const by = { ...ask.by, ifRevision: head.revision }
      const command = { type: 'TakeOverSuggestion', content } as const
      const { state, appendedEvents } = accepted(await commands.post(id, command, by, ask.aggregates))
      await ask.visible(appendedEvents)
      return { body: await shown(ask, state, discussion, commentId) }
    },

    async getCommentedVersion(ask) {
      const { comment } = await mustHaveComment(ask)
      const version = await versionOf(ask, comment)
      if (!version) throw notFound('This version')
      return { body: { content: version.content, imageUrl: await shownUrl(version.imageUrl) } }
    },
  }

  async function suggestedText(postId: string, { id, isRemoved, suggestion }: Comment): Promise<string | null> {
    const record = isRemoved ? null : ((await words.get(wordsId(postId, id)))?.record ?? null)
    return suggestion && record && provenText(suggestion.digest, [record.suggestion])
  }

  async function tell(ask: Asking, { clientId }: Post, commentId: string, memberIds: readonly string[]) {
    if (memberIds.length === 0) return
    const about = { postId: ask.params.id, commentId, clientId, authorId: ask.by.actor.id, memberIds }
    await tellMentioned(await ask.loadAgency(), about)
  }

  async function versionOf({ agencyId, params }: Asking, { anchor }: Comment) {
    if (anchor === null) return null
    return past.shortReads.run(agencyId, () => commentedVersion(commands.ports.events, params.id, anchor))
  }
}

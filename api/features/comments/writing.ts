/**
 * Writes comments: the words first, then the event. Words without an event are never shown; an event without its words
 * would show nothing.
 */
import type { Commented } from '../../../domain/discussion/anchor.ts'
import type { Anchor, Audience } from '../../../domain/discussion/commands.ts'
import { commentIn, type Comment, type Discussion } from '../../../domain/discussion/state.ts'
import type { AggregateScope } from '../../core/aggregates.ts'
import type { CommandContext } from '../../core/command-handler.ts'
import { later } from '../../core/clock.ts'
import type { Commands } from '../../core/commands.ts'
import { accepted } from '../../http/handler.ts'
import { problemOf } from '../../http/sentences.ts'
import { digestOf, salted, wordsId, type CommentWords, type CommentWordsTable } from './words.ts'

export interface NewComment {
  readonly commentId: string
  readonly parentId: string | null
  readonly audience: Audience | null
  readonly text: string
  readonly anchor: Anchor | null
  readonly suggestion: { readonly text: string; readonly contentHash: string } | null
  readonly mentions: readonly string[]
}

export interface CommentChanges {
  readonly text: string
  readonly mentions: readonly string[]
}

interface Ports {
  readonly commands: Pick<Commands, 'ports' | 'discussion' | 'loadDiscussion'>
  readonly words: CommentWordsTable
  /** After a write: undoes it if the author is erased meanwhile. @throws Problem 403 then */
  readonly undoIfErased?: (authorId: string, undo: () => Promise<unknown>) => Promise<void>
}

/** Words without their event belong to a request under way for this long. */
const unfinishedMs = 60_000

export function commentWriting({ commands, words, undoIfErased }: Ports) {
  /** The record of a new comment, or the one of the same comment that was sent before. */
  async function recordOf(comment: NewComment, fresh: CommentWords, isKnown: boolean) {
    if (await words.insert(fresh)) return { record: fresh, isNew: true }
    const found = await words.get(fresh.id)
    const known = found?.record
    const isSame =
      known?.authorId === fresh.authorId &&
      known.words.text === comment.text &&
      known.suggestion?.text === comment.suggestion?.text
    if (known && isSame) return { record: known, isNew: false }
    // Left behind by a request that was cut off before its event. One under way still needs its words.
    const isOver = known && (known.at === undefined || later(known.at, unfinishedMs) <= commands.ports.clock.now())
    const isLeft = isOver && known.authorId === fresh.authorId && !isKnown
    if (isLeft && (await words.replace(fresh, found.version))) return { record: fresh, isNew: true }
    throw problemOf({ reason: 'id-taken' })
  }

  return {
    /** @param seen what the author sees of the post, if that is another version. @throws Problem when it is refused */
    async post(
      postId: string,
      clientId: string,
      comment: NewComment,
      by: CommandContext,
      scope: AggregateScope,
      seen?: Commented,
    ): Promise<Discussion> {
      const { commentId, parentId, audience, anchor, mentions } = comment
      const { state } = await commands.loadDiscussion(postId, scope)
      const fresh: CommentWords = {
        id: wordsId(postId, commentId),
        agencyId: by.agencyId,
        clientId,
        authorId: by.actor.id,
        words: salted(comment.text),
        earlier: null,
        suggestion: comment.suggestion && salted(comment.suggestion.text),
        at: commands.ports.clock.now(),
      }
      const { record, isNew } = await recordOf(comment, fresh, commentIn(state, commentId) !== null)
      await undoIfErased?.(record.authorId, () => words.remove(record.id))
      const suggestion =
        comment.suggestion && record.suggestion
          ? { digest: digestOf(record.suggestion), contentHash: comment.suggestion.contentHash }
          : null
      const digest = digestOf(record.words)
      const command = {
        type: 'PostComment',
        commentId,
        parentId,
        audience,
        digest,
        anchor,
        suggestion,
        mentions,
      } as const
      const outcome = await commands.discussion(postId, command, by, scope, seen)
      if ('refused' in outcome) {
        if (isNew) await withdraw(postId, commentId, record)
      } else if (outcome.appended > 0 && !isNew) await restore(postId, commentId, record)
      return accepted(outcome).state
    },

    /** @throws Problem when it is refused */
    async edit(
      postId: string,
      { id: commentId, author }: Comment,
      { text, mentions }: CommentChanges,
      by: CommandContext,
      scope: AggregateScope,
    ): Promise<Discussion> {
      // Before the words are touched: those of others stay as they are.
      if (author?.type !== by.actor.type || author.id !== by.actor.id) throw problemOf({ reason: 'comment-of-another' })
      const found = await words.get(wordsId(postId, commentId))
      if (!found) throw problemOf({ reason: 'comment-unknown' })
      const { record } = found
      const isOther = record.words.text !== text
      const next = isOther ? { ...record, words: salted(text), earlier: record.words } : record
      if (isOther && !(await words.replace(next, found.version))) throw problemOf({ reason: 'stale-revision' })
      const command = { type: 'EditComment', commentId, digest: digestOf(next.words), mentions } as const
      const outcome = await commands.discussion(postId, command, by, scope)
      if (isOther) await settle(next, 'refused' in outcome ? record.words : next.words)
      return accepted(outcome).state
    },

    /** The event first: the words of a comment that is shown are there. @throws Problem when it is refused */
    async remove(postId: string, { id: commentId }: Comment, by: CommandContext, scope: AggregateScope) {
      accepted(await commands.discussion(postId, { type: 'RemoveComment', commentId }, by, scope))
      await words.remove(wordsId(postId, commentId))
    },
  }

  /** Whether an event has the words. */
  async function isProven(postId: string, commentId: string, { words: { salt, text } }: CommentWords) {
    const comment = commentIn((await commands.loadDiscussion(postId)).state, commentId)
    return comment !== null && !comment.isRemoved && comment.digest === digestOf({ salt, text })
  }

  /** Removes the words of a refused comment. Those of another request with its id stay. */
  async function withdraw(postId: string, commentId: string, record: CommentWords): Promise<void> {
    if (await isProven(postId, commentId, record)) return
    const found = await words.get(record.id)
    if (found?.record.words.salt === record.words.salt) await words.remove(record.id, found.version)
    await restore(postId, commentId, record)
  }

  /** The same comment may have been sent twice at once: one request was refused, and removed the words of the other. */
  async function restore(postId: string, commentId: string, record: CommentWords): Promise<void> {
    if (!(await isProven(postId, commentId, record)) || !(await words.insert(record))) return
    await undoIfErased?.(record.authorId, () => words.remove(record.id))
    // The comment may have been removed meanwhile.
    if (!(await isProven(postId, commentId, record))) await words.remove(record.id)
  }

  /** The words of a later edit stay. */
  async function settle(written: CommentWords, kept: CommentWords['words']): Promise<void> {
    const found = await words.get(written.id)
    if (found?.record.words.salt !== written.words.salt) return
    await words.replace({ ...found.record, words: kept, earlier: null }, found.version)
  }
}

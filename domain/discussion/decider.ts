/** The discussion of a post: comments and replies, edited and removed by their authors. */
import { refuse, type Decider } from '../core/decider.ts'
import type { Actor, Instant } from '../core/event.ts'
import { unfitAnchor, type AnchorRefusal, type Commented } from './anchor.ts'
import type { DiscussionCommand } from './commands.ts'
import type { DiscussionEvent } from './events.ts'
import { textHash } from './hashes.ts'
import { maxComments, maxEdits, maxReviewerComments, silentEditMs } from '../core/comment-limits.ts'
import { commentIn, evolveDiscussion, noDiscussion, type Comment, type Discussion } from './state.ts'

export interface DiscussionContext {
  readonly now: Instant
  readonly actor: Actor
  /** Admins and the owner remove the comments of others. */
  readonly mayModerate: boolean
  /** Null: there is no such post. */
  readonly post: Commented | null
  /** Of the mentioned members, those who don't see the post. */
  readonly unfitMentions: readonly string[]
}

export type DiscussionRefusal =
  | AnchorRefusal
  | { readonly reason: 'post-unknown' }
  | { readonly reason: 'comment-unknown' }
  | { readonly reason: 'comment-limit-reached'; readonly limit: number }
  | { readonly reason: 'edit-limit-reached'; readonly limit: number }
  | { readonly reason: 'reply-to-reply' }
  | { readonly reason: 'audience-of-thread' }
  | { readonly reason: 'team-only' }
  | { readonly reason: 'mention-unfit' }
  | { readonly reason: 'comment-of-another' }
  | { readonly reason: 'id-taken' }
  | { readonly reason: 'made-and-deleted' }

type DiscussionDecider = Decider<Discussion, DiscussionCommand, DiscussionEvent, DiscussionRefusal, DiscussionContext>
type Decision = ReturnType<DiscussionDecider['decide']>
type Of<Type extends DiscussionCommand['type']> = Extract<DiscussionCommand, { type: Type }>

function decide(discussion: Discussion, command: DiscussionCommand, context: DiscussionContext): Decision {
  if (!context.post) return refuse({ reason: 'post-unknown' })
  if (command.type === 'PostComment') return post(discussion, command, context, context.post)
  const comment = commentIn(discussion, command.commentId)
  if (!comment) return refuse({ reason: 'comment-unknown' })
  return command.type === 'EditComment' ? edit(comment, command, context) : remove(comment, context)
}

function post(
  discussion: Discussion,
  { type: _, ...wanted }: Of<'PostComment'>,
  context: DiscussionContext,
  commented: Commented,
): Decision {
  const parent = wanted.parentId === null ? null : commentIn(discussion, wanted.parentId)
  const data = { ...wanted, audience: wanted.audience ?? parent?.audience ?? 'team', mentions: [...wanted.mentions] }
  const before = commentIn(discussion, wanted.commentId)
  if (before) return repeated(before, data, context)
  if (wanted.parentId !== null && (!parent || parent.isRemoved)) return refuse({ reason: 'comment-unknown' })
  if (parent && parent.parentId !== null) return refuse({ reason: 'reply-to-reply' })
  if (parent && parent.audience !== data.audience) return refuse({ reason: 'audience-of-thread' })
  if (data.audience === 'team' && context.actor.type !== 'user') return refuse({ reason: 'team-only' })
  if (context.unfitMentions.length > 0) return refuse({ reason: 'mention-unfit' })
  const unfit = wanted.anchor && unfitAnchor(wanted.anchor, commented)
  if (unfit) return refuse(unfit)
  if (wanted.suggestion && wanted.suggestion.contentHash !== textHash(commented.content))
    return refuse({ reason: 'commented-text-changed' })
  if (discussion.comments.length >= maxComments) return refuse({ reason: 'comment-limit-reached', limit: maxComments })
  const isReviewer = context.actor.type === 'reviewer'
  if (isReviewer && byReviewers(discussion) >= maxReviewerComments)
    return refuse({ reason: 'comment-limit-reached', limit: maxReviewerComments })
  return [{ type: 'CommentPosted', data }]
}

const byReviewers = ({ comments }: Discussion) => comments.filter(({ author }) => author?.type === 'reviewer').length

/** The same comment again appends nothing, also after the post has changed. */
function repeated(
  comment: Comment,
  data: Extract<DiscussionEvent, { type: 'CommentPosted' }>['data'],
  { actor }: DiscussionContext,
): Decision {
  const isTheirs = comment.author === null || isBy(comment, actor)
  const { parentId, audience, anchor, suggestion } = data
  const same =
    isTheirs &&
    (comment.edits > 0 || comment.digest === data.digest) &&
    JSON.stringify([comment.parentId, comment.audience, comment.anchor, comment.suggestion]) ===
      JSON.stringify([parentId, audience, anchor, suggestion])
  if (!same) return refuse({ reason: 'id-taken' })
  return comment.isRemoved ? refuse({ reason: 'made-and-deleted' }) : []
}

const isBy = ({ author }: Comment, actor: Actor) => author?.type === actor.type && author.id === actor.id

function edit(
  comment: Comment,
  { commentId, digest, mentions }: Of<'EditComment'>,
  { now, actor, unfitMentions }: DiscussionContext,
): Decision {
  if (comment.isRemoved) return refuse({ reason: 'comment-unknown' })
  if (!isBy(comment, actor)) return refuse({ reason: 'comment-of-another' })
  if (comment.digest === digest && comment.mentions.join() === mentions.join()) return []
  if (unfitMentions.length > 0) return refuse({ reason: 'mention-unfit' })
  if (comment.edits >= maxEdits) return refuse({ reason: 'edit-limit-reached', limit: maxEdits })
  const marked = comment.postedAt === null || Date.parse(now) - Date.parse(comment.postedAt) > silentEditMs
  return [{ type: 'CommentEdited', data: { commentId, digest, mentions: [...mentions], marked } }]
}

function remove(comment: Comment, { actor, mayModerate }: DiscussionContext): Decision {
  if (!mayModerate && !isBy(comment, actor)) return refuse({ reason: 'comment-of-another' })
  return comment.isRemoved ? [] : [{ type: 'CommentRemoved', data: { commentId: comment.id } }]
}

export const discussionDecider: DiscussionDecider = { initial: noDiscussion, decide, evolve: evolveDiscussion }

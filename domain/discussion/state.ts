/** The comments on a post, folded from their stream. */
import type { Actor, EventMetadata, Instant } from '../core/event.ts'
import type { Anchor, Audience, Suggestion } from './commands.ts'
import type { DiscussionEvent } from './events.ts'

export interface Comment {
  readonly id: string
  readonly parentId: string | null
  readonly audience: Audience
  /** Null where an event is folded without its metadata. */
  readonly author: Actor | null
  readonly postedAt: Instant | null
  readonly digest: string
  readonly anchor: Anchor | null
  readonly suggestion: Suggestion | null
  readonly mentions: readonly string[]
  readonly edits: number
  /** When it was last edited, of an edit that readers see; null without one. */
  readonly editedAt: Instant | null
  readonly isRemoved: boolean
}

/** In the order in which they were posted. A list is copied faster than a table of 500 ids. */
export interface Discussion {
  readonly comments: readonly Comment[]
}

export const noDiscussion: Discussion = { comments: [] }

export const commentIn = ({ comments }: Discussion, id: string): Comment | null =>
  comments.find((comment) => comment.id === id) ?? null

const metadataOf = (event: object) => (event as { readonly metadata?: Pick<EventMetadata, 'actor' | 'at'> }).metadata

export function evolveDiscussion(discussion: Discussion, event: DiscussionEvent): Discussion {
  const { actor = null, at = null } = metadataOf(event) ?? {}
  switch (event.type) {
    case 'CommentPosted': {
      const { commentId, ...data } = event.data
      const comment = { id: commentId, ...data, author: actor, postedAt: at, edits: 0, editedAt: null }
      return { comments: [...discussion.comments, { ...comment, isRemoved: false }] }
    }
    case 'CommentEdited': {
      const { commentId, digest, mentions, marked } = event.data
      return changed(discussion, commentId, (comment) => ({
        ...comment,
        digest,
        mentions,
        edits: comment.edits + 1,
        editedAt: marked ? at : comment.editedAt,
      }))
    }
    case 'CommentRemoved':
      return changed(discussion, event.data.commentId, (comment) => ({ ...comment, isRemoved: true }))
  }
}

function changed({ comments }: Discussion, id: string, change: (comment: Comment) => Comment): Discussion {
  return { comments: comments.map((comment) => (comment.id === id ? change(comment) : comment)) }
}

/** The comments in the history of a post: that there were any, from whom and for whom. Never their words. */
import type { Actor, Instant } from '../../../domain/core/event.ts'
import type { Comment } from '../../../domain/discussion/state.ts'
import type { CommentedEntry, HistoryEntry } from '../../contract/index.ts'

/** Those from an instant on and before another one; null: no end. Of a discussion, whose time never runs backwards. */
export function commentsBetween(
  comments: readonly Comment[],
  from: Instant,
  until: Instant | null,
): readonly Comment[] {
  const first = firstAt(comments, from)
  return comments.slice(first, until === null ? undefined : Math.max(first, firstAt(comments, until)))
}

/** By halving: a page of history looks at no other comments than its own. */
function firstAt(comments: readonly Comment[], at: Instant): number {
  let [low, high] = [0, comments.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((comments[middle]?.postedAt ?? '') < at) low = middle + 1
    else high = middle
  }
  return low
}

/** A comment that was folded without its metadata has no author; the log has none. */
const unknownAuthor: Actor = { type: 'process', id: '' }

export async function commentedEntry(
  { id, audience, author, postedAt }: Comment,
  actorOf: (actor: Actor, at: Instant) => Promise<HistoryEntry['actor']>,
): Promise<CommentedEntry> {
  const at = postedAt ?? ''
  return { id, at, actor: await actorOf(author ?? unknownAuthor, at), audience }
}

/** The comments on a post as their readers see them: the discussion from the log, joined with the words. */
import type { Actor } from '../../../domain/core/event.ts'
import { isOfEarlierVersion, type Commented } from '../../../domain/discussion/anchor.ts'
import type { Audience } from '../../../domain/discussion/commands.ts'
import { textHash } from '../../../domain/discussion/hashes.ts'
import type { Comment, Discussion } from '../../../domain/discussion/state.ts'
import { fromCursor, toCursor } from '../../../projections/read-store/cursor.ts'
import { WrongCursor } from '../../../projections/read-store/port.ts'
import type { PostComment } from '../../contract/index.ts'
import { mapInOrder } from '../../core/map-in-order.ts'
import { pageBounds, pageOf, type ListPage } from '../../http/paging.ts'
import { provenText, wordsId, type CommentWordsTable } from './words.ts'

export interface CommentsPorts {
  readonly words: Pick<CommentWordsTable, 'get'>
  /** Today's name of a user, or of a reviewer. */
  readonly nameOf: (author: Actor) => Promise<string>
}

/** Who reads: what a comment's `can` says to them. A reader without an id acts on no comment. */
export interface CommentReader {
  readonly actor: Pick<Actor, 'type' | 'id'> | null
  readonly mayComment: boolean
  readonly mayModerate: boolean
  /** Whether the post can be changed by them, as it is now. */
  readonly mayTakeOver: boolean
}

export const publicReader: CommentReader = { actor: null, mayComment: false, mayModerate: false, mayTakeOver: false }

export interface CommentsOf {
  readonly postId: string
  readonly post: Commented
  readonly discussion: Discussion
}

const commentsAtOnce = 100
const byIndex = { field: 'index', order: 'asc' } as const

/**
 * A page of the comments that an audience reads: `client` gets those alone that are for the client. The team reads all
 * of them. @throws Problem 400 for a cursor of another list
 */
export async function commentsFor(
  audience: Audience,
  ports: CommentsPorts,
  of: CommentsOf,
  reader: CommentReader = publicReader,
  cursor?: string,
): Promise<ListPage<PostComment>> {
  const read = async function* () {
    const first = cursor === undefined ? 0 : indexIn(cursor, of.postId) + 1
    for (const [index, comment] of of.discussion.comments.entries())
      if (index >= first && (audience === 'team' || comment.audience === 'client')) yield { index, comment }
  }
  const names = new Map<string, Promise<string>>()
  const nameOf = (author: Actor) => {
    const known = names.get(author.id) ?? ports.nameOf(author)
    names.set(author.id, known)
    return known
  }
  const candidates = mapInOrder(read(), async ({ index, comment }) => ({
    item: await commentReply({ ...ports, nameOf }, of, comment, reader),
    cursor: () => toCursor(of.postId, { index }, byIndex),
  }))
  return pageOf(candidates, (comment) => comment, { ...pageBounds, items: commentsAtOnce })
}

/** @throws WrongCursor when it is of another list */
function indexIn(cursor: string, postId: string): number {
  const { id, value } = fromCursor(cursor, byIndex)
  if (id !== postId || typeof value !== 'number') throw new WrongCursor('Not a cursor of this discussion')
  return value
}

/** A comment that was folded without its metadata has no author; the log has none. */
const unknownAuthor: Actor = { type: 'process', id: '' }

export async function commentReply(
  { words, nameOf }: CommentsPorts,
  { postId, post }: CommentsOf,
  comment: Comment,
  { actor, mayComment, mayModerate, mayTakeOver }: CommentReader,
): Promise<PostComment> {
  const { id, parentId, audience, postedAt, editedAt, anchor, mentions, isRemoved } = comment
  const author = comment.author ?? unknownAuthor
  const record = isRemoved ? null : ((await words.get(wordsId(postId, id)))?.record ?? null)
  const text = record && provenText(comment.digest, [record.words, record.earlier])
  const suggested = comment.suggestion && record && provenText(comment.suggestion.digest, [record.suggestion])
  const isTheirs = actor !== null && author.type === actor.type && author.id === actor.id
  const state = isRemoved ? 'removed' : text === null ? 'erased' : 'shown'
  const can: PostComment['can'][number][] = []
  if (mayComment && state === 'shown' && parentId === null) can.push('reply')
  if (mayComment && state === 'shown' && isTheirs) can.push('edit')
  if (mayComment && state !== 'removed' && (isTheirs || mayModerate)) can.push('remove')
  const suggestion =
    comment.suggestion && suggested !== null
      ? { text: suggested, state: suggestionState(comment.suggestion.contentHash, suggested, post.content) }
      : null
  if (mayTakeOver && suggestion?.state === 'open') can.push('take-over')
  return {
    id,
    parentId,
    audience,
    author: { kind: author.type === 'user' ? 'member' : 'reviewer', id: author.id, name: await nameOf(author) },
    postedAt: postedAt ?? '',
    editedAt: state === 'shown' ? editedAt : null,
    state,
    text,
    anchor,
    isEarlierVersion: anchor !== null && isOfEarlierVersion(anchor, post),
    suggestion,
    mentions: isRemoved ? [] : [...mentions],
    can,
  }
}

function suggestionState(contentHash: string, suggested: string, content: string): 'open' | 'taken' | 'outdated' {
  if (suggested === content) return 'taken'
  return contentHash === textHash(content) ? 'open' : 'outdated'
}

/** A comment as a client's people see it. */
import type { PostComment, ReviewComment } from '../../contract/index.ts'
import type { SubmittedVersion } from './versions.ts'

const maxQuote = 80

/**
 * Field by field: what members' replies get later is in no public one by itself.
 * @param versions the submitted versions that comments are about, by hash. Others are shown to no client.
 */
export function shownTo(
  reviewerId: string | null,
  { id, parentId, author, postedAt: at, editedAt, state, text, anchor, isEarlierVersion, suggestion }: PostComment,
  current: SubmittedVersion,
  versions: ReadonlyMap<string, SubmittedVersion>,
): ReviewComment {
  const { kind, name } = author
  const version = anchor === null ? null : isEarlierVersion ? (versions.get(anchor.contentHash) ?? null) : current
  const isAnchored = version !== null && state !== 'removed'
  return {
    id,
    parentId,
    author: { kind, name },
    isYours: kind === 'reviewer' && author.id === reviewerId,
    at,
    edited: editedAt !== null,
    state,
    text,
    anchor: isAnchored ? anchor : null,
    quote: isAnchored && anchor?.kind === 'range' ? quoted(version.content.slice(anchor.from, anchor.to)) : null,
    isEarlierVersion: isAnchored && isEarlierVersion,
    suggestion: kind === 'reviewer' && state === 'shown' ? suggestion : null,
  }
}

const quoted = (words: string) => (words.length > maxQuote ? `${words.slice(0, maxQuote).toWellFormed()}…` : words)

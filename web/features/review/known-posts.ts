/** The posts of the page as they were first shown: they keep their places, and the version that was seen before. */
import type { ReviewedPost } from '../../../api/contract/index.ts'

export type SeenVersion = NonNullable<ReviewedPost['seen']>

export interface KnownPost {
  readonly post: ReviewedPost
  /** What the reviewer saw before this version; null where that is all there was. */
  readonly before: SeenVersion | null
}

/** By post id; as many as the link shows, at most 300. */
export type KnownPosts = ReadonlyMap<string, KnownPost>

export const noPosts: KnownPosts = new Map()

/**
 * A reply has the posts to judge first; those that are here already don't move.
 * @param total as many as the link shows: a reply with all of them lacks those that were deleted or moved away
 */
export function withPosts(known: KnownPosts, posts: readonly ReviewedPost[], total: number): KnownPosts {
  const shown = new Set(posts.map(({ id }) => id))
  const next = new Map([...known].filter(([id]) => shown.size < total || shown.has(id)))
  for (const post of posts) next.set(post.id, { post, before: beforeOf(known.get(post.id), post) })
  return next
}

function beforeOf(known: KnownPost | undefined, post: ReviewedPost): SeenVersion | null {
  if (!known) return post.seen
  const { version, content, imageUrl } = known.post
  if (version === post.version && content === post.content && imageUrl === post.imageUrl) return known.before
  // This page has shown it, whatever the server was told of that.
  return { version, content, imageUrl }
}

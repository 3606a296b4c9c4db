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

/** A reply has the posts to judge first; those that are here already don't move. */
export function withPosts(known: KnownPosts, posts: readonly ReviewedPost[]): KnownPosts {
  const next = new Map(known)
  for (const post of posts) next.set(post.id, { post, before: beforeOf(known.get(post.id), post) })
  return next
}

function beforeOf(known: KnownPost | undefined, post: ReviewedPost): SeenVersion | null {
  if (!known) return post.seen
  if (known.post.version === post.version) return known.before
  // This page has shown it, whatever the server was told of that.
  const { version, content, imageUrl } = known.post
  return { version, content, imageUrl }
}

/** A verdict on an earlier version is none on the current one. */
export const isJudged = ({ verdict, version }: ReviewedPost): boolean => verdict?.version === version

export const isToJudge = (post: ReviewedPost): boolean =>
  !isJudged(post) && (post.can.includes('approve') || post.can.includes('changes'))

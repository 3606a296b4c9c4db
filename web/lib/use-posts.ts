/** The posts of a client, or of all, as far as they are loaded. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { postsQuery, type PostFilter } from './queries.ts'

export function usePosts(scope: string, filter: PostFilter = {}) {
  const list = useInfiniteQuery(postsQuery(scope, filter))
  // A post that moved between two requests may be on two pages.
  const posts = [...new Map(list.data?.pages.flatMap(({ items }) => items).map((post) => [post.id, post])).values()]
  return { list, posts, total: list.data?.pages[0]?.total ?? null }
}

/** The whole of a post of which a list has the beginning of the text. */
import { useQuery, type QueryClient } from '@tanstack/react-query'
import type { Post, PostCard } from '../../api/contract/index.ts'
import { previousOf, wholePostQuery } from './queries.ts'

export interface Whole<P> {
  /** Undefined while the text is on its way, and when it could not be loaded. */
  readonly post: P | undefined
  /** Null while nothing is wrong. */
  readonly error: unknown
  readonly retry: () => void
}

const wholeOf = ({ excerpt, truncated: _, ...card }: PostCard): Post => ({ ...card, content: excerpt })

/** A card that has all of its text needs no request. */
export function useWholePost(card: PostCard, isWanted = true): Whole<Post> {
  const { id, revision, truncated } = card
  const query = useQuery({
    ...wholePostQuery(id, revision),
    enabled: truncated && isWanted,
    placeholderData: previousOf(id),
  })
  const retry = () => void query.refetch()
  if (!truncated) return { post: wholeOf(card), error: null, retry }
  const loaded = query.data
  // A card's optimistic changes apply to the whole post of the same revision; another revision has another text.
  const post = loaded?.revision === revision ? { ...wholeOf(card), content: loaded.content } : loaded
  return { post, error: query.isError && !query.isFetching ? query.error : null, retry }
}

/** The revision whose whole text has been on the screen; null when only its beginning was. */
export function readRevision(
  client: QueryClient,
  { id, revision, truncated }: Pick<PostCard, 'id' | 'revision' | 'truncated'>,
): number | null {
  return truncated ? (client.getQueryData(wholePostQuery(id, revision).queryKey)?.revision ?? null) : revision
}

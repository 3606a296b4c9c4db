/** The comments on one post of a review. */
import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query'
import type { ReviewComment } from '../../../api/contract/index.ts'
import { call } from '../../lib/call.ts'
import type { ReviewCard } from './card.ts'
import { askedWith } from './kept-session.ts'

const keyOf = (token: string, postId: string) => ['review', token, 'comments', postId] as const

/** Read anew when a look at the link tells that they have changed: no request of its own asks for that. */
export const commentsQuery = ({ token, post: { id, version, commentChanges } }: Pick<ReviewCard, 'token' | 'post'>) =>
  queryOptions({
    queryKey: [...keyOf(token, id), version, commentChanges],
    queryFn: () => allComments(token, id),
    staleTime: 0,
    gcTime: 0,
    placeholderData: keepPreviousData,
  })

/** Read whole: there are at most 500. */
async function allComments(token: string, postId: string): Promise<readonly ReviewComment[]> {
  const comments: ReviewComment[] = []
  let cursor: string | null = null
  do {
    const at: { readonly cursor?: string } = cursor === null ? {} : { cursor }
    const page: { readonly comments: ReviewComment[]; readonly next: string | null } = await call(
      'POST /api/reviews/comments',
      { body: { ...askedWith(token), postId, ...at } },
    )
    comments.push(...page.comments)
    cursor = page.next
  } while (cursor !== null)
  return comments
}

/** Puts the server's answer in its place, or behind the others. */
export function showReviewComment(queries: QueryClient, token: string, postId: string, comment: ReviewComment): void {
  queries.setQueriesData<readonly ReviewComment[]>({ queryKey: keyOf(token, postId) }, (known) =>
    known?.some(({ id }) => id === comment.id)
      ? known.map((each) => (each.id === comment.id ? comment : each))
      : known && [...known, comment],
  )
}

export function showRemoved(queries: QueryClient, token: string, postId: string, comment: ReviewComment): void {
  const gone = { state: 'removed', text: null, anchor: null, quote: null, suggestion: null } as const
  showReviewComment(queries, token, postId, { ...comment, ...gone })
}

/** The comments on a post, read whole: there are at most 500. */
import { queryOptions } from '@tanstack/react-query'
import type { PostComment, PostComments } from '../../../api/contract/index.ts'
import { call } from '../../lib/call.ts'
import { queryClient } from '../../lib/query-client.ts'
import { previousOf } from '../../lib/queries.ts'

/** @param revision of the post that the screen shows: a newer one may have another text */
export const commentsQuery = (postId: string, revision: number) =>
  queryOptions({
    queryKey: ['comments', postId, revision],
    queryFn: () => allComments(postId),
    // Opening a post is the request to see what was said since.
    staleTime: 0,
    placeholderData: previousOf(postId),
  })

export const commentedVersionQuery = (postId: string, commentId: string) =>
  queryOptions({
    queryKey: ['commented-version', postId, commentId],
    queryFn: () => call('GET /api/posts/{id}/comments/{commentId}/version', { params: { id: postId, commentId } }),
  })

async function allComments(id: string): Promise<PostComments> {
  const first = await call('GET /api/posts/{id}/comments', { params: { id }, query: {} })
  const comments = [...first.comments]
  let { next } = first
  while (next !== null) {
    const more = await call('GET /api/posts/{id}/comments', { params: { id }, query: { cursor: next } })
    comments.push(...more.comments)
    next = more.next
  }
  return { ...first, comments, next: null }
}

/** Puts the server's answer in its place, or behind the others. */
export function showComment(postId: string, comment: PostComment): void {
  queryClient.setQueriesData<PostComments>({ queryKey: ['comments', postId] }, (known) => {
    if (!known) return known
    const isKnown = known.comments.some(({ id }) => id === comment.id)
    const comments = isKnown
      ? known.comments.map((each) => (each.id === comment.id ? comment : each))
      : [...known.comments, comment]
    return { ...known, comments }
  })
  // The history has that there was a comment.
  void queryClient.invalidateQueries({ queryKey: ['history', postId] })
}

export const readAgain = (postId: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: ['comments', postId] })

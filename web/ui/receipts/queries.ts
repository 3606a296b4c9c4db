/** The receipts of a post, of its verdicts until a revision. */
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'

export const receiptsQuery = (postId: string, revision: number) =>
  queryOptions({
    queryKey: ['receipts', postId, revision],
    queryFn: () => call('GET /api/posts/{id}/receipts', { params: { id: postId } }),
  })

/**
 * The metrics of a period, and the posts with theirs. Under the key of the analytics list: what changes it changes
 * these.
 */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { AnalyticsSort } from '../../api/contract/index.ts'
import { addressOf, call } from './call.ts'
import { page } from './pages.ts'

export interface PeriodAsked {
  readonly from: string
  readonly to: string
  readonly client?: string | undefined
}

export const periodQuery = (asked: PeriodAsked | null) =>
  queryOptions({
    queryKey: ['analytics', 'period', asked],
    queryFn: () => call('GET /api/analytics/period', { query: { from: '', to: '', ...asked } }),
    enabled: asked !== null,
  })

export const periodAddress = (asked: PeriodAsked) => addressOf('GET /api/analytics/period', { query: asked })

export interface AnalyticsPostsAsked extends Partial<PeriodAsked> {
  readonly sort?: AnalyticsSort | undefined
  readonly order?: 'asc' | undefined
}

export const analyticsPostsQuery = (asked: AnalyticsPostsAsked) =>
  infiniteQueryOptions({
    queryKey: ['analytics', 'posts', asked],
    queryFn: ({ pageParam }) => page('GET /api/analytics/posts', pageParam, { query: asked }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    // While the posts come in another order, the earlier ones stay.
    placeholderData: (previous) => previous,
  })

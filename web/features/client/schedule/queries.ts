import { queryOptions } from '@tanstack/react-query'
import type { ScheduleRules } from '../../../../api/contract/index.ts'
import { addressOf, call } from '../../../lib/call.ts'
import type { Watched } from '../../../lib/live-updates.ts'
import { queryClient } from '../../../lib/query-client.ts'

const listOf = (clientId: string) => ({ params: { id: clientId } })

export const schedulesQuery = (clientId: string) =>
  queryOptions({
    queryKey: ['schedules', clientId],
    queryFn: () => call('GET /api/clients/{id}/schedules', listOf(clientId)),
    // The planner goes on by itself: opening it is the request to see it as it is now.
    staleTime: 0,
    gcTime: 0,
  })

export const previewQuery = (clientId: string, socialAccountId: string, rules: ScheduleRules) =>
  queryOptions({
    queryKey: ['schedule-preview', clientId, socialAccountId, rules],
    queryFn: () =>
      call('POST /api/clients/{id}/schedules/preview', { ...listOf(clientId), body: { socialAccountId, ...rules } }),
    staleTime: 0,
    gcTime: 0,
  })

/** A schedule's drafts are among the client's posts, so both lists are refetched. */
export const schedulesWatched = (clientId: string): readonly Watched[] => [
  { kind: 'posts', clientId, lists: [addressOf('GET /api/clients/{id}/schedules', listOf(clientId))] },
]

export async function afterScheduleChange(): Promise<void> {
  const lists = ['schedules', 'posts', 'post-counts', 'calendar', 'dashboard']
  await Promise.all(lists.map((list) => queryClient.invalidateQueries({ queryKey: [list] })))
}

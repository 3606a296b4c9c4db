/** The people of the agency, and the agencies of the signed-in person. */
import { queryOptions } from '@tanstack/react-query'
import { call } from './call.ts'
import { queryClient } from './query-client.ts'

export const teamQuery = queryOptions({
  queryKey: ['team'],
  queryFn: () => call('GET /api/team'),
})

export const removalQuery = (memberId: string) =>
  queryOptions({
    queryKey: ['team', 'removal', memberId],
    queryFn: () => call('GET /api/team/members/{id}/removal', { params: { id: memberId } }),
    staleTime: 0,
  })

export const agenciesQuery = queryOptions({
  queryKey: ['agencies'],
  queryFn: () => call('GET /api/auth/agencies'),
})

export const afterTeamChange = () => queryClient.invalidateQueries({ queryKey: teamQuery.queryKey })

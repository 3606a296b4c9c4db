import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'

/** For managers and above. */
export const policyQuery = (clientId: string) =>
  queryOptions({
    queryKey: ['approval-policy', clientId],
    queryFn: () => call('GET /api/clients/{id}/approval-policy', { params: { id: clientId } }),
  })

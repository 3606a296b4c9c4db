/** What the dashboard asks the server for. */
import { agencyQuery } from '../../lib/access-queries.ts'
import { attentionQuery, clientsQuery, dashboardQuery } from '../../lib/queries.ts'
import { queryClient } from '../../lib/query-client.ts'

/** Begins with the requests before the screen renders, so that nothing moves when its lists come. */
export async function askAhead(): Promise<void> {
  // Without an agency, as right after the sign-up, the lists are refused.
  if (!(await queryClient.fetchQuery(agencyQuery).catch(() => null))) return
  void queryClient.prefetchQuery(clientsQuery)
  void queryClient.prefetchQuery(dashboardQuery)
  void queryClient.prefetchQuery(attentionQuery)
}

/** What the dashboard asks the server for. It was asked for with the page already: `api/http/web-app.ts`. */
import { attentionQuery, clientsQuery, dashboardQuery } from '../../lib/queries.ts'
import { queryClient } from '../../lib/query-client.ts'

/** Begins with the requests before the screen renders, so that nothing moves when its lists come. */
export function askAhead(): void {
  void queryClient.prefetchQuery(clientsQuery)
  void queryClient.prefetchQuery(dashboardQuery)
  void queryClient.prefetchQuery(attentionQuery)
}

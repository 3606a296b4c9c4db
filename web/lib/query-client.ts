import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { statusOf } from './error-text.ts'
import { agencyQuery, userKey } from './access-queries.ts'
import { missingFactor } from './missing-factor.ts'
import { agencyOfPage } from './page-agency.ts'
import { sessionLoss } from './session-loss.ts'

const hasEnded = (error: unknown) => statusOf(error) === 401 && Boolean(queryClient.getQueryData(userKey))

/** A session that has ended shows the landing page when it was noticed while reading. */
function onReadError(error: unknown) {
  if (hasEnded(error) && !sessionLoss.isLost()) queryClient.setQueryData(userKey, null)
}

/** Noticed while acting, it must not take away what was typed. */
export function onActError(error: unknown) {
  if (hasEnded(error)) sessionLoss.set(true)
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: onReadError }),
  mutationCache: new MutationCache({ onError: onActError }),
  defaultOptions: {
    // A request that fails says so. One that waited for the connection would be silent, and act later, when nobody
    // looks.
    queries: {
      networkMode: 'always',
      refetchInterval: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      staleTime: Infinity,
      retry: false,
    },
    mutations: { networkMode: 'always', retry: false },
  },
})

agencyOfPage.from(() => queryClient.getQueryData(agencyQuery.queryKey)?.id ?? null)

// The agency's answer says that the factor is overdue, and the page to add one takes the place of every screen.
missingFactor.subscribe(
  () => void queryClient.refetchQueries({ queryKey: agencyQuery.queryKey }, { cancelRefetch: false }),
)

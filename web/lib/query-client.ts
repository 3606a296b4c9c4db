import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { statusOf } from './error-text.ts'
import { userKey } from './queries.ts'

/** A session that has ended shows the landing page, wherever it was noticed. */
function onError(error: unknown) {
  if (statusOf(error) === 401 && queryClient.getQueryData(userKey)) queryClient.setQueryData(userKey, null)
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      refetchInterval: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      staleTime: Infinity,
      retry: false,
    },
    mutations: { retry: false },
  },
})

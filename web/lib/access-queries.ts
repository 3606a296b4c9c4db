/** The user and the agency, which every screen depends on. The first load has them without the other queries. */
import { queryOptions } from '@tanstack/react-query'
import type { Agency, User } from '../../api/contract/index.ts'
import { call, callIfSignedIn } from './call.ts'
import { statusOf } from './error-text.ts'

export const userKey = ['user'] as const

/** Null without a session. */
export const userQuery = queryOptions({
  queryKey: userKey,
  queryFn: async (): Promise<User | null> => {
    try {
      return (await callIfSignedIn('GET /api/auth/user')) ?? null
    } catch (error) {
      if (statusOf(error) === 401) return null
      throw error
    }
  },
  // Fetched before any screen: a screen reports a failure instead of fetching again.
  retryOnMount: false,
})

const agencyKey = ['agency'] as const
const cookieSeconds = 14 * 86_400

/**
 * Tells the server by a cookie whether the user has an agency: the dashboard's page then names its data in its headers,
 * so that the browser asks for the data before any script runs.
 */
function noted(agency: Agency | null): Agency | null {
  document.cookie = `agency=open; Path=/; Max-Age=${agency ? cookieSeconds : 0}; SameSite=Lax`
  return agency
}

/** A failed look-up counts as no agency; one that is known doesn't go away because the connection did. */
export const agencyQuery = queryOptions({
  queryKey: agencyKey,
  queryFn: ({ client }): Promise<Agency | null> =>
    call('GET /api/agency').then(
      // An empty answer is undefined, which a query counts as a failure and asks for again.
      (agency: Agency | undefined) => noted(agency ?? null),
      (error: unknown) => (statusOf(error) === null ? (client.getQueryData<Agency | null>(agencyKey) ?? null) : null),
    ),
  // Fetched before any screen, as the user is.
  retryOnMount: false,
})

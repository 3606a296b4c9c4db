/**
 * Loads what the first screen needs before React renders for the first time. A fallback that React shows in between
 * stays for 300 ms (its throttle of fallbacks); until then, the page's own spinner is there.
 */
import { agencyQuery, userQuery } from '../lib/access-queries.ts'
import { queryClient } from '../lib/query-client.ts'
import { isByLink } from './by-link.ts'
import { Shell } from './Gate.tsx'
import { router } from './router.ts'

/** Data that came with the page is there by then; for other data, the screen has placeholders. */
const maxDataMs = 100

/** Never rejects: what failed is shown, and tried again, by the screen. */
export async function loadFirstScreen(): Promise<void> {
  await Promise.all([router.load().catch(() => undefined), isByLink(location.pathname) ? undefined : loadAccess()])
  const requests = queryClient
    .getQueryCache()
    .findAll({ fetchStatus: 'fetching' })
    .map(({ promise }) => promise)
  if (requests.length > 0)
    await Promise.race([Promise.allSettled(requests), new Promise((resolve) => setTimeout(resolve, maxDataMs))])
}

async function loadAccess(): Promise<void> {
  const user = await queryClient.fetchQuery(userQuery).catch(() => null)
  if (user) await Promise.all([queryClient.prefetchQuery(agencyQuery), Shell.preload()])
}

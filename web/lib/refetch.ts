/** Which lists a change touches: they are refetched after it succeeded, and only then. */
import { agencyQuery } from './queries.ts'
import { queryClient } from './query-client.ts'

async function refetch(...keys: readonly string[]) {
  await Promise.all(keys.map((key) => queryClient.invalidateQueries({ queryKey: [key] })))
}

/** Any act on a held post lowers the count in the bar. */
const heldCount = () => ((queryClient.getQueryData(agencyQuery.queryKey)?.heldPosts ?? 0) > 0 ? ['agency'] : [])

export const afterPostChange = () =>
  refetch('posts', 'post', 'history', 'delivery', 'calendar', 'dashboard', ...heldCount())
export const afterPostDelete = () => refetch('posts', 'calendar', 'dashboard', 'clients', 'analytics', ...heldCount())
export const afterClientChange = () => refetch('clients', 'dashboard', 'analytics')
export const afterClientDelete = () => refetch('clients', 'dashboard', 'analytics', 'calendar')
export const afterAccountChange = () => refetch('accounts', 'clients', 'dashboard', 'delivery')
export const afterAgencyChange = () => refetch('agency', 'dashboard', 'calendar')
export const afterFiguresChange = () => refetch('analytics', 'dashboard')
export const afterPayment = () => refetch('invoices', 'agency')
export const afterRelease = () => Promise.all([refetch('agency'), afterPostChange()])

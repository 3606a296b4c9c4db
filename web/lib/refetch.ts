/**
 * The lists that a change touches. They are refetched after it succeeded, where mounted; the others on their next
 * mount.
 */
import { failedPostsQuery } from './queries.ts'
import { queryClient } from './query-client.ts'

async function refetch(...keys: readonly string[]) {
  await Promise.all(keys.map((key) => queryClient.invalidateQueries({ queryKey: [key] })))
}

/** The number of held posts in the bar is the agency's; a change of a held post lowers it. */
const heldCount = (wasHeld: boolean) => (wasHeld ? ['agency'] : [])

/** The number in the navigation can only change by an action when there is one. */
const failedCount = () => ((queryClient.getQueryData(failedPostsQuery.queryKey) ?? 0) > 0 ? ['failed-posts'] : [])

export const afterPostChange = (wasHeld = false) =>
  refetch('posts', 'post-counts', 'calendar', 'dashboard', 'next-slot', ...heldCount(wasHeld), ...failedCount())
export const afterPostDelete = (wasHeld = false) =>
  refetch(
    'posts',
    'post-counts',
    'calendar',
    'dashboard',
    'next-slot',
    'clients',
    'analytics',
    ...heldCount(wasHeld),
    ...failedCount(),
  )
export const afterClientChange = () => refetch('clients', 'dashboard', 'analytics')
export const afterClientDelete = () => refetch('clients', 'dashboard', 'analytics', 'calendar')
export const afterAccountChange = () => refetch('accounts', 'clients', 'dashboard', 'delivery')
export const afterAgencyChange = () => refetch('agency', 'dashboard', 'calendar')
export const afterFiguresChange = () => refetch('analytics', 'dashboard')
/** Once the attention list is read anew. */
export const afterAttentionRefresh = () => refetch('failed-posts')
/** On request: all that Analytics shows. */
export const afterFiguresRefresh = () => refetch('analytics')
export const afterPayment = () => refetch('invoices', 'agency')
export const afterRelease = () => Promise.all([refetch('agency'), afterPostChange()])

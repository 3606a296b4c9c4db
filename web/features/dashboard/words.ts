/** The words of the dashboard. */
import type { AttentionAct, AttentionConnection, AttentionKind } from '../../../api/contract/index.ts'

export const words = {
  dashboard: 'Dashboard',
  welcome: "Welcome back! Here's what's happening with your clients.",
  subscription: 'Subscription Status',
  billing: 'Billing',
  stats: { clients: 'Total Clients', posts: 'Active Posts', week: 'This Week', engagement: 'Engagement' },

  title: 'Needs attention',
  nothing: 'Nothing needs attention.',
  nextTitle: 'Next up',
  nothingNext: 'No posts scheduled.',
  loading: 'Loading what needs attention',
  what: 'What needs attention',
  more: (count: number) => `Show ${count} more`,

  yourClients: 'Your Clients',
  theClients: 'Your clients',
  addClient: 'Add Client',
  loadingClients: 'Loading clients',
  noClients: 'No clients yet',
  getStarted: 'Get started by adding your first client',
  addFirst: 'Add Your First Client',
  noIndustry: 'No industry set',
  viewDetails: 'View Details',
  viewDetailsOf: (client: string) => `View Details of ${client}`,
}

export const kindWords: Readonly<Record<AttentionKind, string>> = {
  failed: 'Publishing failed',
  unknown: 'Outcome unknown',
  held: 'On hold',
  pending: 'Pending review',
  draft: 'Not approved yet',
}

export const actWords: Readonly<Record<AttentionAct, string>> = {
  retry: 'Try again',
  release: 'Release',
  'return-to-draft': 'Return to draft',
  connect: 'Connect account',
  pay: 'Open billing',
  settle: 'Check outcome',
  review: 'Review',
  open: 'Open post',
}

export function connectionWords({ state, posts }: Pick<AttentionConnection, 'state' | 'posts'>): string {
  const title =
    state === 'broken' ? 'Connection lost' : state === 'ending' ? 'Connection expires soon' : 'Not connected'
  return posts === 0 ? title : `${title} · ${posts === 1 ? '1 post waiting' : `${posts} posts waiting`}`
}

import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { lazyPart } from '../../lib/lazy-part.tsx'
import { userQuery } from '../../lib/access-queries.ts'
import { queryClient } from '../../lib/query-client.ts'

// Each its own chunk: a visitor loads no dashboard, an agency no landing page.
const Landing = lazyPart(() => import('../../features/landing/Landing.tsx'))
const Dashboard = lazyPart(() => import('../../features/dashboard/Dashboard.tsx'))

export const Route = createFileRoute('/')({
  loader: async ({ preload }) => {
    const user = await queryClient.fetchQuery(userQuery).catch(() => null)
    if (!user) return Landing.preload()
    // Only what is opened is asked for.
    const asking = preload ? null : import('../../features/dashboard/ask.ts').catch(() => null)
    await Promise.all([Dashboard.preload(), asking?.then((ask) => ask?.askAhead())])
  },
  component: Index,
})

function Index() {
  const user = useQuery(userQuery)
  return user.data ? <Dashboard /> : <Landing />
}

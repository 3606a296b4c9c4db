import { useQuery } from '@tanstack/react-query'
import { clientsQuery, dashboardQuery } from '../../lib/queries.ts'
import { dashboardWatched } from '../../lib/watched.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { RefreshButton } from '../../ui/RefreshButton.tsx'
import { ClientCards } from './ClientCards.tsx'
import { ConnectionWarnings } from './ConnectionWarnings.tsx'
import { StatCards } from './StatCards.tsx'
import { SubscriptionCard } from './SubscriptionCard.tsx'

export default function Dashboard() {
  const clients = useQuery(clientsQuery)
  const figures = useQuery(dashboardQuery)
  return (
    <>
      <PageHeader
        title="Dashboard"
        text="Welcome back! Here's what's happening with your clients."
        actions={
          <RefreshButton
            busy={clients.isFetching || figures.isFetching}
            onRefresh={() => Promise.all([clients.refetch(), figures.refetch()])}
            watched={dashboardWatched}
          />
        }
      />
      <div className="flex flex-col gap-4">
        <ConnectionWarnings warnings={figures.data?.connectionWarnings} />
        <SubscriptionCard />
        <StatCards figures={figures.data} clientCount={clients.data?.length} />
      </div>
      <ClientCards clients={clients} />
    </>
  )
}

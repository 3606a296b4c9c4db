import type { UseQueryResult } from '@tanstack/react-query'
import { Plus, Users } from 'lucide-react'
import type { Client } from '../../../api/contract/index.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { cardStyle } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ForRole } from '../../ui/ForRole.tsx'
import { LoadError } from '../../ui/LoadError.tsx'
import { PaidLink } from '../../ui/PaidLink.tsx'
import { SkeletonCards } from '../../ui/Skeleton.tsx'
import { words } from './words.ts'

const grid = 'grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-3'

export function ClientCards({ clients }: { readonly clients: UseQueryResult<Client[]> }) {
  return (
    <section aria-labelledby="your-clients" className="mt-10">
      <div className="mb-4 flex items-center justify-between gap-4">
        <h2 id="your-clients" className="text-xl font-semibold">
          {words.yourClients}
        </h2>
        <ForRole least="admin">
          <PaidLink
            to="/clients"
            search={{ add: true }}
            look={clients.data?.length ? 'primary' : 'secondary'}
            data-testid="button-add-client"
            data-shortcut="n"
          >
            <Plus aria-hidden />
            {words.addClient}
          </PaidLink>
        </ForRole>
      </div>
      <Cards clients={clients} />
    </section>
  )
}

function Cards({ clients }: { readonly clients: UseQueryResult<Client[]> }) {
  if (clients.isPending)
    return <SkeletonCards count={3} label={words.loadingClients} className={grid} item="h-[7.75rem]" />
  if (clients.isError)
    return <LoadError what={words.theClients} error={clients.error} onRetry={() => void clients.refetch()} />
  if (clients.data.length === 0) {
    return (
      <EmptyState
        icon={<Users />}
        title={words.noClients}
        text={words.getStarted}
        action={
          <ForRole least="admin">
            <PaidLink to="/clients" search={{ add: true }} look="primary">
              {words.addFirst}
            </PaidLink>
          </ForRole>
        }
      />
    )
  }
  return (
    <ul className={grid}>
      {clients.data.map((client) => (
        <li key={client.id} data-testid="client-card" className={`${cardStyle} flex flex-col gap-4 p-5`}>
          <div className="flex items-center gap-3">
            <Avatar name={client.name} image={client.logoUrl} color={client.brandColor} />
            <div className="min-w-0">
              <h3 dir="auto" className="truncate font-semibold" title={client.name}>
                {client.name}
              </h3>
              <p dir="auto" className="truncate text-sm text-quiet">
                {client.industry || words.noIndustry}
              </p>
            </div>
          </div>
          <LinkButton
            to="/clients/$id"
            params={{ id: client.id }}
            size="sm"
            className="self-start"
            aria-label={words.viewDetailsOf(client.name)}
          >
            {words.viewDetails}
          </LinkButton>
        </li>
      ))}
    </ul>
  )
}

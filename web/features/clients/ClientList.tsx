import type { UseQueryResult } from '@tanstack/react-query'
import { Users } from 'lucide-react'
import type { Client } from '../../../api/contract/index.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { cardStyle } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { LoadError } from '../../ui/LoadError.tsx'
import { PaidButton } from '../../ui/PaidButton.tsx'
import { SkeletonCards } from '../../ui/Skeleton.tsx'
import { words } from './words.ts'

const grid = 'grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-3'

interface Props {
  readonly clients: UseQueryResult<Client[]>
  readonly onAdd: () => void
}

export function ClientList({ clients, onAdd }: Props) {
  if (clients.isPending) return <SkeletonCards count={3} label={words.loading} className={grid} item="h-52" />
  if (clients.isError)
    return <LoadError what={words.theClients} error={clients.error} onRetry={() => void clients.refetch()} />
  if (clients.data.length === 0) {
    return (
      <EmptyState
        icon={<Users />}
        title={words.none}
        text={words.noneText}
        action={<PaidButton onPress={onAdd}>{words.addFirst}</PaidButton>}
      />
    )
  }
  return (
    <ul className={grid}>
      {clients.data.map((client) => (
        <ClientCard key={client.id} client={client} />
      ))}
    </ul>
  )
}

function ClientCard({ client }: { readonly client: Client }) {
  return (
    <li data-testid="client-card" className={`${cardStyle} flex min-h-52 flex-col p-5`}>
      <div className="flex items-center gap-3">
        <Avatar name={client.name} image={client.logoUrl} color={client.brandColor} />
        <h2 dir="auto" className="line-clamp-2 min-w-0 text-lg leading-snug font-semibold wrap-anywhere">
          {client.name}
        </h2>
      </div>
      <p dir="auto" className="mt-3 line-clamp-2 text-quiet wrap-anywhere">
        {client.description || client.industry || words.noDescription}
      </p>
      <dl className="mt-3 mb-4 flex flex-col gap-1 text-sm">
        <Fact name={words.audience} value={client.targetAudience} />
        <Fact name={words.tone} value={client.toneOfVoice} />
      </dl>
      <LinkButton
        to="/clients/$id"
        params={{ id: client.id }}
        size="sm"
        className="mt-auto self-start"
        aria-label={words.manageClient(client.name)}
      >
        {words.manage}
      </LinkButton>
    </li>
  )
}

function Fact({ name, value }: { readonly name: string; readonly value: string | null }) {
  if (!value) return null
  return (
    <div className="flex gap-2">
      <dt className="w-16 shrink-0 text-quiet">{name}</dt>
      <dd dir="auto" className="line-clamp-2 min-w-0 flex-1 wrap-anywhere">
        {value}
      </dd>
    </div>
  )
}

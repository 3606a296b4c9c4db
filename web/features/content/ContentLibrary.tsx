import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { MousePointerClick, Plus } from 'lucide-react'
import { useEffect } from 'react'
import { chosenClient } from '../../lib/chosen-client.ts'
import { clientsQuery } from '../../lib/queries.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { LoadError } from '../../ui/LoadError.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { PaidLink } from '../../ui/PaidLink.tsx'
import { Select } from '../../ui/Select.tsx'
import { ClientPosts } from './ClientPosts.tsx'
import type { ContentSearch } from './search.ts'

export function ContentLibrary({ search }: { readonly search: ContentSearch }) {
  const clients = useQuery(clientsQuery)
  const navigate = useNavigate()
  const client = clients.data?.find(({ id }) => id === search.client)
  const clientId = client?.id
  useEffect(() => {
    if (clientId !== undefined) chosenClient.keep(clientId)
  }, [clientId])
  const options = (clients.data ?? []).map(({ id, name, brandColor }) => ({
    id,
    label: name,
    icon: <span className="size-3 shrink-0 rounded-full" style={{ backgroundColor: brandColor }} />,
  }))
  return (
    <>
      <PageHeader
        title="Content Library"
        text="Every post of a client: review it, schedule it, see what became of it."
        actions={
          <>
            <Select
              label="Client"
              labelHidden
              placeholder="Select a client"
              testId="select-client"
              shortcut="/"
              options={options}
              value={client?.id ?? null}
              onChange={(id) =>
                void navigate({ to: '/content', search: { tab: search.tab, client: id }, replace: true })
              }
              className="w-56"
            />
            {client && (
              <PaidLink
                look="primary"
                to="/clients/$id"
                params={{ id: client.id }}
                search={{ tab: 'posts', compose: true }}
                data-shortcut="n"
              >
                <Plus aria-hidden />
                New Post
              </PaidLink>
            )}
          </>
        }
      />
      {clients.isError && (
        <LoadError what="Your clients" error={clients.error} onRetry={() => void clients.refetch()} />
      )}
      {client ? (
        <ClientPosts
          key={client.id}
          client={client}
          tab={search.tab ?? 'all'}
          onTab={(tab) => void navigate({ to: '/content', search: { ...search, tab }, replace: true })}
          limits={search}
          onLimits={({ q, platform }) =>
            void navigate({ to: '/content', search: { ...search, q, platform }, replace: true })
          }
        />
      ) : (
        clients.isSuccess && <ChooseClient names={clients.data} />
      )}
    </>
  )
}

interface ChooseProps {
  readonly names: readonly { id: string; name: string; logoUrl: string | null; brandColor: string }[]
}

function ChooseClient({ names }: ChooseProps) {
  if (names.length === 0) {
    return (
      <EmptyState
        icon={<MousePointerClick />}
        title="Select a Client"
        text="There is no client yet. Add one, then its posts are here."
        action={
          <PaidLink to="/clients" search={{ add: true }} look="primary">
            Add Your First Client
          </PaidLink>
        }
      />
    )
  }
  return (
    <EmptyState
      icon={<MousePointerClick />}
      title="Select a Client"
      text="Choose whose posts you want to see."
      action={
        <ul className="flex max-w-dialog flex-wrap justify-center gap-2">
          {names.map(({ id, name, logoUrl, brandColor }) => (
            <li key={id} className="max-w-full min-w-0">
              <LinkButton to="/content" search={{ client: id }} look="secondary" className="h-11! max-w-full pl-1.5!">
                <Avatar name={name} image={logoUrl} color={brandColor} size="sm" />
                <span dir="auto" className="truncate">
                  {name}
                </span>
              </LinkButton>
            </li>
          ))}
        </ul>
      }
    />
  )
}

import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { FileQuestionMark, MousePointerClick, Plus, UsersRound } from 'lucide-react'
import { useEffect } from 'react'
import type { Client } from '../../../api/contract/index.ts'
import { chosenClient } from '../../lib/chosen-client.ts'
import { allClients } from '../../lib/all-clients.ts'
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
import { useOpenPost } from './use-open-post.ts'
import { words } from './words.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The entry before it is the list. */
    readonly fromList?: true
  }
}

interface Props {
  readonly search: ContentSearch
  /** The post of the address `/content/<id>`. */
  readonly postId: string | null
}

export function ContentLibrary({ search, postId }: Props) {
  const clients = useQuery(clientsQuery)
  const navigate = useNavigate()
  const { history } = useRouter()
  const open = useOpenPost(postId)
  const scope = clients.data ? scopeOf(search.client ?? open.card?.clientId, clients.data) : undefined
  useEffect(() => {
    if (scope === allClients) chosenClient.allPosts()
    else if (scope !== undefined) chosenClient.keep(scope)
  }, [scope])
  const client = clients.data?.find(({ id }) => id === scope)
  const change = (next: ContentSearch) => void navigate({ to: '/content', search: next, replace: true })
  if (open.isUnknown) return <UnknownPost search={search} />
  const preview = {
    card: open.card,
    onOpen: (id: string) =>
      void navigate({
        to: '/content/$post',
        params: { post: id },
        search,
        state: { fromList: true },
        resetScroll: false,
      }),
    onClose: () => {
      if (postId === null) return
      // Back leads to the list that the post was opened from; a post that was opened by its address has none.
      if (history.location.state.fromList) history.back()
      else void navigate({ to: '/content', search: { ...search, client: scope }, replace: true, resetScroll: false })
    },
  }
  return (
    <>
      <PageHeader
        title={words.heading}
        text={words.text}
        dense
        actions={
          <>
            <Select
              label={words.client}
              labelHidden
              placeholder={words.selectClient}
              testId="select-client"
              shortcut="/"
              options={clients.data?.length ? [everyClient, ...clients.data.map(optionOf)] : []}
              value={scope ?? null}
              onChange={(id) => change({ tab: search.tab, client: id })}
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
                {words.newPost}
              </PaidLink>
            )}
          </>
        }
      />
      {clients.isError && (
        <LoadError what={words.clientsFailed} error={clients.error} onRetry={() => void clients.refetch()} />
      )}
      {clients.isSuccess && scope !== undefined && (
        <ClientPosts
          key={scope}
          scope={scope}
          clients={clients.data}
          tab={search.tab ?? 'all'}
          onTab={(tab) => change({ ...search, tab, sort: undefined })}
          limits={search}
          onLimits={(limits) => change({ client: search.client, tab: search.tab, ...limits })}
          preview={preview}
        />
      )}
      {clients.isSuccess && scope === undefined && !open.isLoading && <ChooseClient clients={clients.data} />}
    </>
  )
}

/** The chosen client, or all; an agency's only client is chosen. */
function scopeOf(wanted: string | undefined, clients: readonly Client[]): string | undefined {
  const [only, ...others] = clients
  if (only && others.length === 0 && wanted !== allClients) return only.id
  return clients.length > 0 && wanted === allClients ? allClients : clients.find(({ id }) => id === wanted)?.id
}

const everyClient = {
  id: allClients,
  label: words.allClients,
  icon: <UsersRound aria-hidden className="size-3.5 shrink-0 text-quiet" />,
}

const optionOf = ({ id, name, brandColor }: Client) => ({
  id,
  label: name,
  icon: <span className="size-3 shrink-0 rounded-full" style={{ backgroundColor: brandColor }} />,
})

/** The same for a post of another agency and for one that was deleted. */
function UnknownPost({ search }: { readonly search: ContentSearch }) {
  return (
    <>
      <PageHeader title={words.heading} />
      <EmptyState
        icon={<FileQuestionMark />}
        title={words.unknown.heading}
        text={words.unknown.text}
        action={
          <LinkButton to="/content" search={search}>
            {words.unknown.back}
          </LinkButton>
        }
      />
    </>
  )
}

function ChooseClient({ clients }: { readonly clients: readonly Client[] }) {
  if (clients.length === 0) {
    return (
      <EmptyState
        icon={<MousePointerClick />}
        title={words.choose.heading}
        text={words.choose.noClients}
        action={
          <PaidLink to="/clients" search={{ add: true }} look="primary">
            {words.choose.add}
          </PaidLink>
        }
      />
    )
  }
  return (
    <EmptyState
      icon={<MousePointerClick />}
      title={words.choose.heading}
      text={words.choose.text}
      action={
        <ul className="flex max-w-dialog flex-wrap justify-center gap-2">
          <li>
            <LinkButton to="/content" search={{ client: allClients }} look="secondary" className="h-11!">
              <UsersRound aria-hidden />
              {words.allClients}
            </LinkButton>
          </li>
          {clients.map(({ id, name, logoUrl, brandColor }) => (
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

import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useCallback } from 'react'
import { isAtLeast } from '../../../api/contract/role-order.ts'
import { lazyPart } from '../../lib/lazy-part.tsx'
import { statusOf } from '../../lib/error-text.ts'
import { useAgency } from '../../lib/use-agency.ts'
import { clientQuery } from '../../lib/queries.ts'
import { wayBack } from '../../lib/way-back.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { LoadError } from '../../ui/LoadError.tsx'
import { useTitle } from '../../ui/PageHeader.tsx'
import { Skeleton, SkeletonCards } from '../../ui/Skeleton.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { useConnectionOutcome } from '../../ui/use-connection-updates.ts'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { Accounts } from './Accounts.tsx'
import { NoClient } from './NoClient.tsx'
import { Overview } from './Overview.tsx'
import { Posts } from './Posts.tsx'
import { clientTabs, type ClientSearch } from './search.ts'
import { words } from './words.ts'

const Approval = lazyPart(() => import('./approval/Approval.tsx'))
const ClientReview = lazyPart(() => import('./review/ClientReview.tsx'))
const Schedules = lazyPart(() => import('./schedule/Schedules.tsx'))
const ChooseProfile = lazyDialog(() => import('./ChooseProfile.tsx'))

interface Props {
  readonly id: string
  readonly search: ClientSearch
}

export function ClientPage({ id, search }: Props) {
  const client = useQuery(clientQuery(id))
  const navigate = useNavigate()
  const role = useAgency()?.me.role
  useTitle(client.data?.name ?? words.client)
  const { account } = search
  const onShown = useCallback(() => {
    const back = wayBack.take(account)
    if (back !== null) return void navigate({ href: back, replace: true })
    void navigate({ to: '/clients/$id', params: { id }, search: { tab: 'accounts' }, replace: true })
  }, [navigate, id, account])
  useConnectionOutcome({ outcome: search.connect, clientId: id, accountId: search.account, onShown })
  if (client.isPending) {
    return (
      <div>
        <h1 className="sr-only">{words.client}</h1>
        <output className="sr-only">{words.loadingClient}</output>
        <Skeleton className="h-14 w-72" />
        <Skeleton className="mt-8 h-72" />
      </div>
    )
  }
  if (client.isError && statusOf(client.error) === 404) return <NoClient />
  if (client.isError) {
    return (
      <>
        <h1 className="sr-only">{words.client}</h1>
        <LoadError what={words.thisClient} error={client.error} onRetry={() => void client.refetch()} />
      </>
    )
  }
  const { name, industry, logoUrl, brandColor } = client.data
  const go = (next: ClientSearch) => void navigate({ to: '/clients/$id', params: { id }, search: next, replace: true })
  return (
    <>
      <header className="mb-6 flex items-start gap-4">
        <Avatar name={name} image={logoUrl} color={brandColor} size="lg" />
        <div className="min-w-0">
          <h1
            dir="auto"
            className="line-clamp-3 text-2xl leading-8 font-semibold tracking-tight wrap-anywhere max-sm:text-xl"
            title={name}
          >
            {name}
          </h1>
          <p className="mt-0.5 flex items-center gap-2 text-quiet">
            <span aria-hidden className="size-3 shrink-0 rounded-full" style={{ backgroundColor: brandColor }} />
            <span dir="auto" className="line-clamp-2 wrap-anywhere">
              {industry || words.noIndustry}
            </span>
          </p>
        </div>
      </header>
      {search.connect === 'choose' && search.account !== undefined && search.choice !== undefined && (
        <ChooseProfile clientId={id} accountId={search.account} choice={search.choice} onClose={onShown} />
      )}
      <Tabs
        label={words.client}
        value={search.tab ?? 'overview'}
        onChange={(tab) => go({ tab: clientTabs.find((each) => each === tab) })}
        tabs={[
          { id: 'overview', label: words.overview, content: <Overview client={client.data} /> },
          {
            id: 'accounts',
            label: <TabLabel label={words.socialAccounts} onPhones={words.accountsOnPhones} />,
            content: <Accounts clientId={id} />,
          },
          {
            id: 'schedule',
            label: <TabLabel label={words.postingSchedule} onPhones={words.scheduleOnPhones} />,
            content: (
              <Suspense
                fallback={
                  <SkeletonCards count={2} label={words.loadingSchedules} className="flex flex-col gap-4" item="h-48" />
                }
              >
                <Schedules clientId={id} />
              </Suspense>
            ),
          },
          {
            id: 'posts',
            label: words.posts,
            content: (
              <Posts
                client={client.data}
                composing={search.compose === true}
                on={search.on}
                from={search.from}
                onCompose={(compose) => go({ tab: 'posts', ...(compose && { compose }) })}
              />
            ),
          },
          ...(role !== undefined && isAtLeast(role, 'manager')
            ? [
                {
                  id: 'approval',
                  label: words.approval,
                  content: (
                    <Suspense fallback={<Skeleton className="h-48" />}>
                      <Approval clientId={id} mayChange={isAtLeast(role, 'admin')} />
                      <ClientReview clientId={id} />
                    </Suspense>
                  ),
                },
              ]
            : []),
        ]}
      />
    </>
  )
}

interface TabLabelProps {
  readonly label: string
  /** Its end, which is enough on a phone; screen readers read the whole there, too. */
  readonly onPhones: string
}

const TabLabel = ({ label, onPhones }: TabLabelProps) => (
  <span>
    <span className="max-sm:sr-only">{label.slice(0, -onPhones.length)}</span>
    {onPhones}
  </span>
)

import { useQuery } from '@tanstack/react-query'
import { CalendarClock } from 'lucide-react'
import { useState } from 'react'
import type { SocialAccount } from '../../../../api/contract/index.ts'
import { zoneLabel } from '../../../lib/dates.ts'
import { accountsQuery } from '../../../lib/queries.ts'
import { useBlocked, useZone } from '../../../lib/use-agency.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { lazyDialog } from '../../../ui/lazy-dialog.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { LoadError } from '../../../ui/LoadError.tsx'
import { RefreshButton } from '../../../ui/RefreshButton.tsx'
import { SkeletonCards } from '../../../ui/Skeleton.tsx'
import { schedulesQuery, schedulesWatched } from './queries.ts'
import { ScheduleCard } from './ScheduleCard.tsx'
import { words } from './words.ts'

const ScheduleDialog = lazyDialog(() => import('./ScheduleDialog.tsx'))

export default function Schedules({ clientId }: { readonly clientId: string }) {
  const accounts = useQuery(accountsQuery(clientId))
  const schedules = useQuery(schedulesQuery(clientId))
  const zone = useZone()
  const blocked = useBlocked()
  const [editing, setEditing] = useState<SocialAccount | null>(null)
  const scheduleOf = (account: SocialAccount) =>
    schedules.data?.find(({ socialAccountId }) => socialAccountId === account.id) ?? null
  const failed = accounts.isError ? accounts : schedules
  return (
    <section aria-label={words.schedules}>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-2">
        <p className="max-w-text text-quiet">{words.intro(zoneLabel(zone))}</p>
        <RefreshButton
          busy={schedules.isFetching}
          onRefresh={() => Promise.all([schedules.refetch(), accounts.refetch()])}
          watched={schedulesWatched(clientId)}
        />
      </div>
      {(accounts.isPending || schedules.isPending) && !failed.isError && (
        <SkeletonCards count={2} label={words.loading} className="flex flex-col gap-4" item="h-48" />
      )}
      {failed.isError && (
        <LoadError
          what={words.theSchedules}
          error={failed.error}
          onRetry={() => void Promise.all([accounts.refetch(), schedules.refetch()])}
        />
      )}
      {accounts.isSuccess && schedules.isSuccess && accounts.data.length === 0 && (
        <EmptyState
          icon={<CalendarClock />}
          title={words.noAccounts}
          text={words.noAccountsText}
          action={
            <LinkButton look="primary" to="/clients/$id" params={{ id: clientId }} search={{ tab: 'accounts' }} replace>
              {words.addAccount}
            </LinkButton>
          }
        />
      )}
      {accounts.isSuccess && schedules.isSuccess && accounts.data.length > 0 && (
        <ul className="flex flex-col gap-4">
          {accounts.data.map((account) => (
            <ScheduleCard
              key={account.id}
              account={account}
              schedule={scheduleOf(account)}
              zone={zone}
              onEdit={() => setEditing(account)}
            />
          ))}
        </ul>
      )}
      {editing && blocked === null && (
        <ScheduleDialog
          clientId={clientId}
          account={editing}
          schedule={scheduleOf(editing)}
          zone={zone}
          onClose={() => setEditing(null)}
        />
      )}
    </section>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { Suspense } from 'react'
import type { AnalyticsRecord } from '../../../api/contract/index.ts'
import { periodAddress, periodQuery } from '../../lib/analytics-queries.ts'
import { byName } from '../../lib/by-name.ts'
import { addressOf } from '../../lib/call.ts'
import { formatWeek, todayKey } from '../../lib/dates.ts'
import { lazyPart } from '../../lib/lazy-part.tsx'
import { analyticsQuery } from '../../lib/queries.ts'
import { afterFiguresRefresh } from '../../lib/refetch.ts'
import { useZone } from '../../lib/use-agency.ts'
import { figuresWatched } from '../../lib/watched.ts'
import { AnchorButton } from '../../ui/LinkButton.tsx'
import { LoadError } from '../../ui/LoadError.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { RefreshButton } from '../../ui/RefreshButton.tsx'
import { Select } from '../../ui/Select.tsx'
import { asOf } from './as-of.ts'
import { ChartPlaceholders } from './ChartPlaceholders.tsx'
import { NoData, NothingInPeriod, RemoveSampleData } from './NoData.tsx'
import { daysOf } from './period.ts'
import { PeriodPicker } from './PeriodPicker.tsx'
import type { AnalyticsSearch } from './search.ts'
import { Tiles, TilePlaceholders } from './Tiles.tsx'
import { words } from './words.ts'

const Charts = lazyPart(() => import('./Charts.tsx'))
const PostTable = lazyPart(() => import('./PostTable.tsx'))
const all = 'all'

export function Analytics({ search }: { readonly search: AnalyticsSearch }) {
  const { client, sort, order } = search
  const navigate = useNavigate()
  const zone = useZone()
  const today = todayKey(zone)
  const days = daysOf(search, today)
  const asked = days && { ...days, client }
  const analytics = useQuery(analyticsQuery)
  const period = useQuery(periodQuery(asked))
  const known = analytics.data ?? []
  const ofClient = client === undefined ? known : known.filter(({ clientId }) => clientId === client)
  const records = asked ? (period.data?.records ?? []) : ofClient
  const failed = [analytics, ...(asked ? [period] : [])].find(({ isError }) => isError)
  const isPending = analytics.isPending || (asked !== null && period.isPending && ofClient.length > 0)
  const go = (next: AnalyticsSearch) =>
    void navigate({ to: '/analytics', search: { ...search, ...next }, replace: true })
  return (
    <>
      <PageHeader
        title={words.heading}
        text={words.subtitle}
        actions={
          <>
            <Select
              label={words.client}
              labelHidden
              testId="select-client"
              shortcut="/"
              options={clientOptions(known)}
              value={client ?? all}
              onChange={(id) => go({ client: id === all ? undefined : id })}
              className="w-52 max-sm:w-auto max-sm:min-w-36 max-sm:flex-1"
            />
            <PeriodPicker chosen={search} days={days} today={today} onChange={go} />
            {known.some(({ sample }) => sample) && <RemoveSampleData />}
            <RefreshButton
              busy={analytics.isFetching || period.isFetching}
              onRefresh={afterFiguresRefresh}
              watched={figuresWatched(asked && periodAddress(asked))}
            />
          </>
        }
      />
      {isPending && <TilePlaceholders />}
      {failed && <LoadError what={words.failed} error={failed.error} onRetry={() => void failed.refetch()} />}
      {!failed && analytics.isSuccess && ofClient.length === 0 && <NoData />}
      {!isPending && !failed && ofClient.length > 0 && (
        <div className="flex flex-col gap-4">
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
            <p className="text-sm text-quiet" data-testid="figures-as-of">
              {period.data && asked ? `${compared(period.data)} · ` : ''}
              {asOf(asked ? records : ofClient, zone)}
            </p>
            {records.length > 0 && (
              <AnchorButton
                look="quiet"
                size="sm"
                download
                href={addressOf('GET /api/analytics/export', { query: { of: 'totals', ...days, client } })}
                data-testid="button-export-totals"
              >
                <Download aria-hidden />
                {words.download.totals}
              </AnchorButton>
            )}
          </div>
          {records.length === 0 ? (
            <NothingInPeriod />
          ) : (
            <>
              <Tiles records={records} isPeriod={asked !== null} />
              <Suspense fallback={<ChartPlaceholders />}>
                <Charts records={records} byClient={client === undefined} />
              </Suspense>
            </>
          )}
          <Suspense fallback={null}>
            <PostTable asked={{ ...days, client, sort, order }} zone={zone} onSort={go} />
          </Suspense>
        </div>
      )}
    </>
  )
}

/** `Gained Mar 1 – 31, 2026, compared with Jan 29 – Feb 28, 2026` */
const compared = ({ from, to, previous }: { from: string; to: string; previous: { from: string; to: string } }) =>
  words.period.shown(formatWeek(from, to), formatWeek(previous.from, previous.to))

function clientOptions(records: readonly AnalyticsRecord[]) {
  const names = new Map(records.map(({ clientId, clientName }) => [clientId, clientName]))
  const clients = [...names].map(([id, label]) => ({ id, label })).sort((a, b) => byName(a.label, b.label))
  return [{ id: all, label: words.allClients }, ...clients]
}

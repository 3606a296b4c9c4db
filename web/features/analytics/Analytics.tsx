import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ChartNoAxesColumn } from 'lucide-react'
import { Suspense } from 'react'
import type { AnalyticsRecord } from '../../../api/contract/index.ts'
import { lazyPart } from '../../lib/lazy-part.tsx'
import { call } from '../../lib/call.ts'
import { errorText } from '../../lib/error-text.ts'
import { analyticsQuery } from '../../lib/queries.ts'
import { afterFiguresChange } from '../../lib/refetch.ts'
import { useZone } from '../../lib/use-agency.ts'
import { figuresWatched } from '../../lib/watched.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { LoadError } from '../../ui/LoadError.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { RefreshButton } from '../../ui/RefreshButton.tsx'
import { Select } from '../../ui/Select.tsx'
import { toast } from '../../ui/toast.ts'
import { asOf } from './as-of.ts'
import { ChartPlaceholders } from './ChartPlaceholders.tsx'
import { Tiles, TilePlaceholders } from './Tiles.tsx'

const Charts = lazyPart(() => import('./Charts.tsx'))
const all = 'all'

export function Analytics({ client }: { readonly client: string | undefined }) {
  const analytics = useQuery(analyticsQuery)
  const navigate = useNavigate()
  const zone = useZone()
  const records = analytics.data ?? []
  const shown = client === undefined ? records : records.filter(({ clientId }) => clientId === client)
  return (
    <>
      <PageHeader
        title="Analytics"
        text="Track performance across all your clients"
        actions={
          <>
            <Select
              label="Client"
              labelHidden
              testId="select-client"
              shortcut="/"
              options={clientOptions(records)}
              value={client ?? all}
              onChange={(id) =>
                void navigate({ to: '/analytics', search: id === all ? {} : { client: id }, replace: true })
              }
              className="w-52"
            />
            {records.some(({ sample }) => sample) && <RemoveSampleData />}
            <RefreshButton busy={analytics.isFetching} onRefresh={analytics.refetch} watched={figuresWatched} />
          </>
        }
      />
      {analytics.isPending && <TilePlaceholders />}
      {analytics.isError && (
        <LoadError what="The figures" error={analytics.error} onRetry={() => void analytics.refetch()} />
      )}
      {analytics.isSuccess && shown.length === 0 && <NoData />}
      {shown.length > 0 && (
        <div className="flex flex-col gap-4">
          <p className="text-sm text-quiet" data-testid="figures-as-of">
            {asOf(shown, zone)}
          </p>
          <Tiles records={shown} />
          <Suspense fallback={<ChartPlaceholders />}>
            <Charts records={shown} byClient={client === undefined} />
          </Suspense>
        </div>
      )}
    </>
  )
}

function clientOptions(records: readonly AnalyticsRecord[]) {
  const names = new Map(records.map(({ clientId, clientName }) => [clientId, clientName]))
  return [{ id: all, label: 'All Clients' }, ...[...names].map(([id, label]) => ({ id, label }))]
}

function NoData() {
  const seed = useSampleData('POST /api/seed-analytics', 'Analytics Data Created')
  return (
    <EmptyState
      icon={<ChartNoAxesColumn />}
      title="No Analytics Data"
      text="Analytics data will appear here once your posts are published and start receiving engagement"
      action={
        <Button
          look="primary"
          onPress={() => seed.mutateAsync()}
          pending={seed.isPending}
          data-testid="button-generate-sample"
        >
          {seed.isPending ? 'Generating...' : 'Generate Sample Data'}
        </Button>
      }
    />
  )
}

function RemoveSampleData() {
  const remove = useSampleData('DELETE /api/sample-data', 'Sample data removed')
  return (
    <Button onPress={() => remove.mutateAsync()} pending={remove.isPending} data-testid="button-remove-sample">
      Remove sample data
    </Button>
  )
}

function useSampleData(route: 'POST /api/seed-analytics' | 'DELETE /api/sample-data', title: string) {
  return useMutation({
    mutationFn: () => call(route),
    onSuccess: async ({ message }) => {
      await afterFiguresChange()
      toast({ title, description: message })
    },
    onError: (error) => toast({ title: 'Error', description: errorText(error), variant: 'destructive' }),
  })
}

import { useMutation, useQuery } from '@tanstack/react-query'
import { Monitor, Smartphone } from 'lucide-react'
import { useState, type ComponentProps } from 'react'
import type { SessionShown } from '../../../api/contract/index.ts'
import { call } from '../../lib/call.ts'
import { formatDateTime } from '../../lib/dates.ts'
import { errorText } from '../../lib/error-text.ts'
import { sessionsQuery } from '../../lib/queries.ts'
import { queryClient } from '../../lib/query-client.ts'
import { useZone } from '../../lib/use-agency.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { LoadError } from '../../ui/LoadError.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import { FactorCard } from './factor-card.tsx'
import { words as allWords } from './words.ts'

const words = allWords.sessions

type ConfirmProps = ComponentProps<(typeof import('../../ui/ConfirmDialog.tsx'))['ConfirmDialog']>
const ConfirmDialog = lazyDialog<ConfirmProps>(() =>
  import('../../ui/ConfirmDialog.tsx').then((loaded) => ({ default: loaded.ConfirmDialog })),
)

const afterEnd = () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
const onError = (error: unknown) =>
  toast({ title: allWords.error, description: errorText(error), variant: 'destructive' })

export function SessionsCard() {
  const sessions = useQuery(sessionsQuery)
  const [isEndingOthers, setEndingOthers] = useState(false)
  const others = useMutation({
    mutationFn: () => call('DELETE /api/auth/sessions'),
    onSuccess: async () => {
      setEndingOthers(false)
      await afterEnd()
      toast({ title: words.othersEnded })
    },
    onError,
  })
  return (
    <FactorCard testId="card-sessions" title={words.heading} text={words.text}>
      {sessions.isPending && <Skeleton className="mt-3 h-40" />}
      {sessions.isError && (
        <LoadError what={words.failed} error={sessions.error} onRetry={() => void sessions.refetch()} />
      )}
      <ul className="mt-3 flex flex-col divide-y divide-line">
        {sessions.data?.map((session) => (
          <Row key={session.id} session={session} />
        ))}
      </ul>
      {(sessions.data?.length ?? 0) > 1 && (
        <Button look="dangerQuiet" className="mt-2 -ml-3.5" onPress={() => setEndingOthers(true)}>
          {words.endOthers}
        </Button>
      )}
      {isEndingOthers && (
        <ConfirmDialog
          open
          onClose={() => setEndingOthers(false)}
          title={words.othersTitle}
          action={words.endOthers}
          pending={others.isPending}
          onConfirm={() => others.mutate()}
        >
          {words.othersText}
        </ConfirmDialog>
      )}
    </FactorCard>
  )
}

function Row({ session: { id, browser, way, startedAt, usedAt, isThis } }: { readonly session: SessionShown }) {
  const zone = useZone()
  const end = useMutation({
    mutationFn: () => call('DELETE /api/auth/sessions/{id}', { params: { id } }),
    onSuccess: async () => {
      await afterEnd()
      toast({ title: words.ended })
    },
    onError,
  })
  const name = browser ?? words.unknown
  const Icon = /phone|iPad|Android/.test(name) ? Smartphone : Monitor
  return (
    <li className="flex items-center gap-3 py-3" data-testid="session">
      <Icon aria-hidden className="size-4 shrink-0 text-quiet" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          {name}
          {isThis && <Badge tone="published">{words.current}</Badge>}
        </p>
        <p className="text-sm text-quiet">{words.used(formatDateTime(usedAt, zone))}</p>
        <p className="text-sm text-quiet">
          {words.started(formatDateTime(startedAt, zone), way ? words.ways[way] : '')}
        </p>
      </div>
      {!isThis && (
        <Button
          look="dangerQuiet"
          size="sm"
          aria-label={words.endOf(name)}
          pending={end.isPending}
          onPress={() => end.mutate()}
        >
          {words.end}
        </Button>
      )}
    </li>
  )
}

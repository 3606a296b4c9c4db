/** One post, event by event: what it was right after each, and what had happened. */
import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { HistoryEntry } from '../../../api/contract/index.ts'
import { formatDateTime } from '../../lib/dates.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { LoadError } from '../../ui/LoadError.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Tooltip } from '../../ui/Tooltip.tsx'
import { PlainText } from '../../ui/posts/Difference.tsx'
import { Timeline } from '../../ui/posts/History.tsx'
import { historyWords } from '../../ui/posts/history-words.ts'
import { AuditStatus } from './FoundPost.tsx'
import type { AuditSource } from './source.ts'

interface Props {
  readonly postId: string
  readonly title: string
  readonly source: AuditSource
  readonly zone: string
  /** Where the replay begins; null: at its last event. */
  readonly asOf: string | null
  readonly onClose: () => void
}

export function PostReplay({ postId, title, source, zone, asOf, onClose }: Props) {
  const history = useQuery({ queryKey: [...source.key, 'history', postId], queryFn: () => source.history(postId), staleTime: 0, gcTime: 0 })
  return (
    <Dialog open onClose={onClose} width="wide" title={title} description="Every event is chained to the one before it. Nothing here can be changed.">
      {history.isPending && <Skeleton className="h-64" />}
      {history.isError && <LoadError what="The history" error={history.error} onRetry={() => void history.refetch()} />}
      {history.data && <Replay entries={history.data} zone={zone} first={firstShown(history.data, asOf)} />}
    </Dialog>
  )
}

function firstShown(entries: readonly HistoryEntry[], asOf: string | null): number {
  return asOf === null ? entries.length - 1 : Math.max(0, entries.findLastIndex(({ at }) => at <= asOf))
}

function Replay({ entries, zone, first }: { readonly entries: readonly HistoryEntry[]; readonly zone: string; readonly first: number }) {
  const [at, setAt] = useState(first)
  const entry = entries[at]
  if (!entry) return null
  const words = `${historyWords(entry, zone)} (${formatDateTime(entry.at, zone)})`
  return (
    <div className="flex flex-col gap-6">
      <section aria-label="Replay" className="rounded-card border border-line p-4">
        <div className="flex items-center gap-2">
          <Tooltip text="The event before">
            <Button look="quiet" size="icon" aria-label="The event before" isDisabled={at === 0} onPress={() => setAt(at - 1)}>
              <ChevronLeft aria-hidden />
            </Button>
          </Tooltip>
          <input type="range" min={0} max={entries.length - 1} value={at} onChange={({ target }) => setAt(Number(target.value))} aria-label="Event" aria-valuetext={words} className="h-6 min-w-0 flex-1 scheme-light-dark accent-accent" data-testid="event-slider" />
          <Tooltip text="The next event">
            <Button look="quiet" size="icon" aria-label="The next event" isDisabled={at === entries.length - 1} onPress={() => setAt(at + 1)}>
              <ChevronRight aria-hidden />
            </Button>
          </Tooltip>
        </div>
        <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1">
          <AuditStatus status={entry.deleted ? 'deleted' : entry.status} />
          <span className="font-medium" data-testid="replay-words">
            {words}
          </span>
          <span className="text-quiet">{entry.actor.name}</span>
          <span className="tabular ml-auto text-sm text-quiet">{`Event ${at + 1} of ${entries.length}`}</span>
        </p>
        <div data-testid="replay-text" className="mt-3">
          <PlainText>{entry.content}</PlainText>
        </div>
        <p className="mt-3 font-mono text-xs wrap-anywhere text-quiet" data-testid="replay-hash">{`SHA-256 ${entry.hash}`}</p>
        {typeof entry.data['approvalHash'] === 'string' && <p className="mt-1 font-mono text-xs wrap-anywhere text-quiet" data-testid="approval-hash">{`Approved as ${entry.data['approvalHash']}`}</p>}
      </section>
      <section aria-label="History">
        <Timeline entries={entries} zone={zone} />
      </section>
    </div>
  )
}

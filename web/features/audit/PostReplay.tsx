/** Replays a post event by event: each event, and the post right after it. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { HistoryEntry } from '../../../api/contract/index.ts'
import { formatDateTime } from '../../lib/dates.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { LoadError } from '../../ui/LoadError.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Tooltip } from '../../ui/Tooltip.tsx'
import { PlainText } from '../../ui/posts/Difference.tsx'
import { earlierOf, entriesOf, Timeline, type Earlier } from '../../ui/posts/History.tsx'
import { historyWords } from '../../ui/posts/history-words.ts'
import { AuditStatus } from './FoundPost.tsx'
import type { AuditSource } from './source.ts'
import { words } from './words.ts'

interface Props {
  readonly postId: string
  readonly title: string
  readonly source: AuditSource
  readonly zone: string
  /** The event at which the replay begins; null: the last one. */
  readonly asOf: string | null
  readonly onClose: () => void
}

export default function PostReplay({ postId, title, source, zone, asOf, onClose }: Props) {
  const history = useInfiniteQuery({
    queryKey: [...source.key, 'history', postId],
    queryFn: ({ pageParam }) => source.history(postId, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
    gcTime: 0,
  })
  const entries = entriesOf(history.data?.pages ?? [])
  const earlier = earlierOf(history)
  // A replay that begins in the past needs the events up to there.
  const lacks = asOf !== null && earlier !== null && earlier.error === null && (entries[0]?.at ?? '') > asOf
  const { fetchNextPage, isFetching } = history
  useEffect(() => {
    if (lacks && !isFetching) void fetchNextPage()
  }, [lacks, isFetching, fetchNextPage])
  const isReady = entries.length > 0 && !lacks
  return (
    <Dialog open onClose={onClose} width="wide" title={title} description={words.chained}>
      {(history.isPending || lacks) && <Skeleton className="h-64" />}
      {history.isError && !history.data && (
        <LoadError what={words.theHistory} error={history.error} onRetry={() => void history.refetch()} />
      )}
      {isReady && <Replay entries={entries} earlier={earlier} zone={zone} first={firstShown(entries, asOf)} />}
    </Dialog>
  )
}

/** The revision that is shown at first. */
function firstShown(entries: readonly HistoryEntry[], asOf: string | null): number {
  const index =
    asOf === null
      ? entries.length - 1
      : Math.max(
          0,
          entries.findLastIndex(({ at }) => at <= asOf),
        )
  return entries[index]?.revision ?? 0
}

interface ReplayProps {
  readonly entries: readonly HistoryEntry[]
  readonly earlier: Earlier | null
  readonly zone: string
  readonly first: number
}

function Replay({ entries, earlier, zone, first }: ReplayProps) {
  const [revision, setRevision] = useState(first)
  // The earliest loaded event stands in for one that is still being fetched.
  const entry = entries.find((each) => each.revision === revision) ?? entries[0]
  const [oldest, newest] = [entries[0], entries.at(-1)]
  if (!entry || !oldest || !newest) return null
  const goTo = (to: number) => {
    setRevision(to)
    if (to < oldest.revision) earlier?.show()
  }
  const said = `${historyWords(entry, zone)} (${formatDateTime(entry.at, zone)})`
  return (
    <div className="flex flex-col gap-6">
      <section aria-label={words.replay} className="rounded-card border border-line p-4">
        <div className="flex items-center gap-2">
          <Tooltip text={words.previousEvent}>
            <Button
              look="quiet"
              size="icon"
              aria-label={words.previousEvent}
              isDisabled={entry.revision === 0 || earlier?.isLoading === true}
              onPress={() => goTo(entry.revision - 1)}
            >
              <ChevronLeft aria-hidden />
            </Button>
          </Tooltip>
          <input
            type="range"
            min={oldest.revision}
            max={newest.revision}
            value={entry.revision}
            onChange={({ target }) => setRevision(Number(target.value))}
            aria-label={words.event}
            aria-valuetext={said}
            className="h-6 min-w-0 flex-1 accent-accent"
            data-testid="event-slider"
          />
          <Tooltip text={words.nextEvent}>
            <Button
              look="quiet"
              size="icon"
              aria-label={words.nextEvent}
              isDisabled={entry === newest}
              onPress={() => setRevision(entry.revision + 1)}
            >
              <ChevronRight aria-hidden />
            </Button>
          </Tooltip>
        </div>
        <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1">
          <AuditStatus status={entry.deleted ? 'deleted' : entry.status} />
          <span className="font-medium" data-testid="replay-words">
            {said}
          </span>
          <span className="text-quiet">{entry.actor.name}</span>
          <span className="tabular ml-auto text-sm text-quiet">
            {words.eventOf(entry.revision + 1, newest.revision + 1)}
          </span>
        </p>
        <div data-testid="replay-text" className="mt-3">
          <PlainText>{entry.content}</PlainText>
        </div>
        <p className="mt-3 font-mono text-xs wrap-anywhere text-quiet" data-testid="replay-hash">
          {words.hash(entry.hash)}
        </p>
        {typeof entry.data['approvalHash'] === 'string' && (
          <p className="mt-1 font-mono text-xs wrap-anywhere text-quiet" data-testid="approval-hash">
            {words.approvedAs(entry.data['approvalHash'])}
          </p>
        )}
      </section>
      <section aria-label={words.history}>
        <Timeline entries={entries} earlier={earlier} zone={zone} />
      </section>
    </div>
  )
}

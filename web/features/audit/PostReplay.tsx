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

interface Props {
  readonly postId: string
  readonly title: string
  readonly source: AuditSource
  readonly zone: string
  /** The event at which the replay begins; null: the last one. */
  readonly asOf: string | null
  readonly onClose: () => void
}

export function PostReplay({ postId, title, source, zone, asOf, onClose }: Props) {
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
    <Dialog
      open
      onClose={onClose}
      width="wide"
      title={title}
      description="Every event is chained to the one before it. Nothing here can be changed."
    >
      {(history.isPending || lacks) && <Skeleton className="h-64" />}
      {history.isError && !history.data && (
        <LoadError what="The history" error={history.error} onRetry={() => void history.refetch()} />
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
  const words = `${historyWords(entry, zone)} (${formatDateTime(entry.at, zone)})`
  return (
    <div className="flex flex-col gap-6">
      <section aria-label="Replay" className="rounded-card border border-line p-4">
        <div className="flex items-center gap-2">
          <Tooltip text="The event before">
            <Button
              look="quiet"
              size="icon"
              aria-label="The event before"
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
            aria-label="Event"
            aria-valuetext={words}
            className="h-6 min-w-0 flex-1 scheme-light-dark accent-accent"
            data-testid="event-slider"
          />
          <Tooltip text="The next event">
            <Button
              look="quiet"
              size="icon"
              aria-label="The next event"
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
            {words}
          </span>
          <span className="text-quiet">{entry.actor.name}</span>
          <span className="tabular ml-auto text-sm text-quiet">{`Event ${entry.revision + 1} of ${newest.revision + 1}`}</span>
        </p>
        <div data-testid="replay-text" className="mt-3">
          <PlainText>{entry.content}</PlainText>
        </div>
        <p
          className="mt-3 font-mono text-xs wrap-anywhere text-quiet"
          data-testid="replay-hash"
        >{`SHA-256 ${entry.hash}`}</p>
        {typeof entry.data['approvalHash'] === 'string' && (
          <p
            className="mt-1 font-mono text-xs wrap-anywhere text-quiet"
            data-testid="approval-hash"
          >{`Approved as ${entry.data['approvalHash']}`}</p>
        )}
      </section>
      <section aria-label="History">
        <Timeline entries={entries} earlier={earlier} zone={zone} />
      </section>
    </div>
  )
}

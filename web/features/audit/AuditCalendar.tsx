/** Shows the calendar as it stood at the chosen instant, one month at a time. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { CalendarX, ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { CalendarEntry } from '../../../api/contract/index.ts'
import { dayKey, formatDay, formatMonth, formatTime, todayKey } from '../../lib/dates.ts'
import { shiftMonth } from '../../lib/month.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { LoadError } from '../../ui/LoadError.tsx'
import { PlatformIcon } from '../../ui/PlatformIcon.tsx'
import { SkeletonCards } from '../../ui/Skeleton.tsx'
import { StatusBadge } from '../../ui/posts/StatusBadge.tsx'
import type { AuditSource, Filters } from './source.ts'
import { words } from './words.ts'

interface Props {
  readonly source: AuditSource
  readonly filters: Filters
  readonly zone: string
  readonly onOpen: (postId: string) => void
}

export function AuditCalendar({ source, filters: { asOf, client }, zone, onOpen }: Props) {
  const [chosen, setChosen] = useState<string | null>(null)
  const month = chosen ?? (asOf === null ? todayKey(zone) : dayKey(asOf, zone)).slice(0, 7)
  const posts = useQuery({
    queryKey: [...source.key, 'calendar', month, asOf, client],
    queryFn: ({ signal }) => source.calendar({ month, asOf, client }, signal),
    placeholderData: keepPreviousData,
  })
  const shown = posts.data ?? []
  const dayOf = ({ scheduledFor }: CalendarEntry) => dayKey(scheduledFor, zone)
  const days = [...new Set(shown.map(dayOf))]
  return (
    <section aria-label={words.calendar} className="flex flex-col gap-3">
      <div className="flex items-center gap-2">
        <Button
          look="quiet"
          size="icon"
          aria-label={words.previousMonth}
          onPress={() => setChosen(shiftMonth(month, -1))}
        >
          <ChevronLeft aria-hidden />
        </Button>
        <h2 className="min-w-36 text-center font-semibold" data-testid="audit-month">
          {formatMonth(month)}
        </h2>
        <Button look="quiet" size="icon" aria-label={words.nextMonth} onPress={() => setChosen(shiftMonth(month, 1))}>
          <ChevronRight aria-hidden />
        </Button>
      </div>
      {posts.isPending && (
        <SkeletonCards count={3} label={words.loadingCalendar} className="flex flex-col gap-2" item="h-16" />
      )}
      {posts.isError && <LoadError what={words.theCalendar} error={posts.error} onRetry={() => void posts.refetch()} />}
      {posts.isSuccess && days.length === 0 && (
        <EmptyState
          icon={<CalendarX />}
          title={words.emptyMonth}
          text={asOf === null ? words.emptyNow : words.emptyThen}
        />
      )}
      {days.map((day) => (
        <section key={day} aria-label={formatDay(day)} className="rounded-card border border-line bg-surface">
          <h3 className="border-b border-line px-4 py-2 text-sm font-medium text-quiet">{formatDay(day)}</h3>
          <ul className="divide-y divide-line">
            {shown
              .filter((post) => dayOf(post) === day)
              .map((post) => (
                <li key={post.id}>
                  <button
                    type="button"
                    onClick={() => onOpen(post.id)}
                    data-testid="audit-calendar-post"
                    className="flex w-full cursor-default flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5 text-left hover:bg-n3"
                  >
                    <span className="tabular w-20 text-sm text-quiet">{formatTime(post.scheduledFor, zone)}</span>
                    <PlatformIcon platform={post.platform} />
                    <StatusBadge status={post.status} />
                    <span dir="auto" className="min-w-0 flex-1 basis-40 truncate">
                      {post.excerpt}
                    </span>
                  </button>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </section>
  )
}

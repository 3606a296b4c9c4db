/** Days under each other, each with its posts: the list of a month, and a week on a narrow screen. */
import { CalendarX, Plus } from 'lucide-react'
import type { CalendarTile, Client } from '../../../api/contract/index.ts'
import type { CalendarView } from '../../lib/calendar-choice.ts'
import { formatDay } from '../../lib/dates.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SkeletonCards } from '../../ui/Skeleton.tsx'
import type { DayPosts } from './by-day.ts'
import { DayRow } from './DayRow.tsx'
import { words } from './words.ts'
import { ForRole } from '../../ui/ForRole.tsx'

interface Props {
  readonly view: CalendarView
  /** In order; those without posts are left out. */
  readonly days: readonly string[]
  readonly posts: ReadonlyMap<string, DayPosts>
  readonly clients: ReadonlyMap<string, Client> | null
  readonly today: string
  readonly zone: string
  readonly loading: boolean
  readonly onOpen: (entry: CalendarTile) => void
  readonly onMore: (day: string) => void
  readonly onNew: (day: string) => void
}

export function Agenda({ view, days, posts, clients, today, zone, loading, onOpen, onMore, onNew }: Props) {
  const filled = days.filter((day) => (posts.get(day)?.entries.length ?? 0) > 0)
  if (loading) return <SkeletonCards count={4} label={words.loading} className="flex flex-col gap-3" item="h-24" />
  if (filled.length === 0)
    return (
      <EmptyState
        icon={<CalendarX />}
        title={words.noPosts}
        text={view === 'week' ? words.noPostsInWeek : words.noPostsInMonth}
      />
    )
  return (
    <div data-testid="calendar-agenda" className="flex flex-col gap-3">
      {filled.map((day) => {
        const { entries, more } = posts.get(day) ?? { entries: [], more: 0 }
        return (
          <section key={day} aria-label={formatDay(day)} className="rounded-card border border-line bg-surface">
            <div className="flex items-center justify-between gap-2 border-b border-line py-1.5 pr-2 pl-4">
              <h3
                className={`text-sm font-medium ${day === today ? 'text-accent-ink' : 'text-quiet'}`}
                {...(day === today && { 'aria-current': 'date' })}
              >
                {day === today ? words.todayOn(formatDay(day)) : formatDay(day)}
              </h3>
              {day >= today && (
                <ForRole least="writer">
                  <Button
                    look="quiet"
                    size="icon"
                    aria-label={words.newPostOn(formatDay(day))}
                    onPress={() => onNew(day)}
                  >
                    <Plus aria-hidden />
                  </Button>
                </ForRole>
              )}
            </div>
            <ul className="divide-y divide-line">
              {entries.map((entry) => (
                <li key={entry.id}>
                  <DayRow
                    entry={entry}
                    zone={zone}
                    client={clients?.get(entry.clientId)}
                    onOpen={() => onOpen(entry)}
                  />
                </li>
              ))}
              {more > 0 && (
                <li className="px-2 py-1">
                  <Button look="quiet" size="sm" onPress={() => onMore(day)}>
                    {words.moreOn(more, formatDay(day))}
                  </Button>
                </li>
              )}
            </ul>
          </section>
        )
      })}
    </div>
  )
}

import { useMemo, useRef } from 'react'
import { DndProvider } from 'react-dnd'
import type { CalendarTile, Client } from '../../../api/contract/index.ts'
import { monthOf } from '../../lib/month.ts'
import { useBlocked } from '../../lib/use-agency.ts'
import { noPosts, type DayPosts } from './by-day.ts'
import { DayCell } from './DayCell.tsx'
import { DragNote } from './DragNote.tsx'
import { lazyBackend } from './lazy-backend.ts'
import { useGridKeys } from './use-grid-keys.ts'
import { words } from './words.ts'

const byTouch = window.matchMedia('(pointer: coarse)').matches
const backend = lazyBackend(() =>
  byTouch
    ? import('react-dnd-touch-backend').then(({ TouchBackend }) => TouchBackend)
    : import('react-dnd-html5-backend').then(({ HTML5Backend }) => HTML5Backend),
)

export interface GridActions {
  readonly onOpen: (entry: CalendarTile) => void
  readonly onMore: (day: string) => void
  /** @param collision the time of a post that it now stands close to */
  readonly onDrop: (entry: CalendarTile, day: string, collision: string | null) => void
  readonly onNew: (day: string) => void
}

interface Props extends GridActions {
  readonly label: string
  readonly weeks: readonly (readonly string[])[]
  /** Days outside of it recede; null: none do. */
  readonly month: string | null
  readonly today: string
  readonly zone: string
  readonly days: ReadonlyMap<string, DayPosts>
  /** By id, where posts of several clients are shown. */
  readonly clients: ReadonlyMap<string, Client> | null
  readonly loading: boolean
  /** Tiles of a day at most. */
  readonly shown: number
  readonly onPage: (by: 1 | -1, day: string) => string | null
}

export function MonthGrid({
  label,
  weeks,
  month,
  today,
  zone,
  days,
  clients,
  loading,
  shown,
  onPage,
  ...actions
}: Props) {
  const blocked = useBlocked()
  const grid = useRef<HTMLTableElement>(null)
  const all = useMemo(() => weeks.flat(), [weeks])
  const keys = useGridKeys({ grid, days: all, today, onPage, onNew: actions.onNew, onMenu: actions.onMore })
  return (
    <DndProvider backend={backend} options={byTouch ? { delayTouchStart: 250 } : undefined}>
      {/* As wide as the tiles need, whatever the sidebar leaves: below that, a day is its dots. */}
      <div className="@container flex flex-1 flex-col overflow-hidden rounded-card border border-line bg-surface">
        <table
          ref={grid}
          // The keyboard goes through its cells; rows and cells take their roles from it.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role
          role="grid"
          aria-busy={loading}
          aria-label={label}
          onKeyDown={keys.onKeyDown}
          onFocus={keys.onFocus}
          className="w-full flex-1 table-fixed border-collapse"
          data-testid="calendar-grid"
        >
          <thead>
            <tr>
              {words.weekdays.map((day) => (
                <th
                  key={day}
                  scope="col"
                  abbr={day}
                  className="border-b border-line px-1 py-2 text-xs font-medium text-quiet @[40rem]:px-2 @[40rem]:text-left"
                >
                  {day.slice(0, 3)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {weeks.map((week) => (
              <tr key={week[0]} className="h-28 @max-[28rem]:h-18">
                {week.map((day) => (
                  <DayCell
                    key={day}
                    day={day}
                    posts={days.get(day) ?? noPosts}
                    shown={shown}
                    clients={clients}
                    loading={loading}
                    isOutside={month !== null && monthOf(day) !== month}
                    isToday={day === today}
                    isPast={day < today}
                    isInWeek={month === null}
                    stop={keys.stop.day === day ? keys.stop : null}
                    zone={zone}
                    blocked={blocked}
                    {...actions}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <DragNote zone={zone} blocked={blocked} />
    </DndProvider>
  )
}

import { DndProvider } from 'react-dnd'
import { HTML5Backend } from 'react-dnd-html5-backend'
import { TouchBackend } from 'react-dnd-touch-backend'
import type { CalendarEntry } from '../../../api/contract/index.ts'
import { monthOf } from '../../lib/month.ts'
import { useBlocked } from '../../lib/use-agency.ts'
import { DayCell } from './DayCell.tsx'
import { DragNote } from './DragNote.tsx'

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const byTouch = window.matchMedia('(pointer: coarse)').matches

export interface GridActions {
  readonly onOpen: (entry: CalendarEntry) => void
  readonly onMore: (day: string) => void
  readonly onDrop: (entry: CalendarEntry, day: string) => void
}

interface Props extends GridActions {
  readonly weeks: readonly (readonly string[])[]
  readonly month: string
  readonly today: string
  readonly zone: string
  readonly days: ReadonlyMap<string, CalendarEntry[]>
  readonly loading: boolean
}

export function MonthGrid({ weeks, month, today, zone, days, loading, ...actions }: Props) {
  const blocked = useBlocked()
  return (
    <DndProvider
      backend={byTouch ? TouchBackend : HTML5Backend}
      options={byTouch ? { delayTouchStart: 250 } : undefined}
    >
      {/* As wide as the tiles need, whatever the sidebar leaves: below that, a day is its dots. */}
      <div className="@container flex flex-1 flex-col overflow-hidden rounded-card border border-line bg-surface">
        <table
          aria-busy={loading}
          aria-label="Month"
          className="w-full flex-1 table-fixed border-collapse"
          data-testid="calendar-grid"
        >
          <thead>
            <tr>
              {weekdays.map((day) => (
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
                    entries={days.get(day) ?? []}
                    isOutside={monthOf(day) !== month}
                    isToday={day === today}
                    isPast={day < today}
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

import { useDrop } from 'react-dnd'
import type { CalendarEntry } from '../../../api/contract/index.ts'
import { dayKey, formatDay } from '../../lib/dates.ts'
import type { GridActions } from './MonthGrid.tsx'
import { DayDots } from './DayDots.tsx'
import { PostTile } from './PostTile.tsx'
import { refusalOf } from './refusal.ts'
import { variants } from '../../ui/variants.ts'

const shown = 3

const cell = variants({
  base: 'relative border-r border-b border-line p-0.5 align-top @[40rem]:p-1.5 transition-colors last:border-r-0',
  variants: {
    outside: { true: 'bg-n2' },
    drop: {
      idle: '',
      takes: 'bg-accent-soft inset-ring-2 inset-ring-accent',
      refuses: 'cursor-not-allowed bg-rejected-soft inset-ring-2 inset-ring-danger',
    },
  },
})

interface Props extends GridActions {
  readonly day: string
  readonly entries: readonly CalendarEntry[]
  readonly isOutside: boolean
  readonly isToday: boolean
  readonly isPast: boolean
  readonly zone: string
  readonly blocked: string | null
}

interface Collected {
  readonly over: boolean
  readonly takes: boolean
  /** Why it can't be let go here. */
  readonly refusal: string | null
}

export function DayCell({ day, entries, isOutside, isToday, isPast, zone, blocked, onOpen, onMore, onDrop }: Props) {
  const isItsOwn = (entry: CalendarEntry) => dayKey(entry.scheduledFor, zone) === day
  const refusal = (entry: CalendarEntry) => refusalOf(entry, day, new Date().toISOString(), { zone, blocked })
  const [{ over, takes, refusal: refused }, drop] = useDrop<CalendarEntry, void, Collected>({
    accept: 'post',
    canDrop: (entry) => !isItsOwn(entry) && refusal(entry) === null,
    drop: (entry) => onDrop(entry, day),
    collect: (monitor) => {
      const entry: CalendarEntry | null = monitor.getItem()
      return {
        over: monitor.isOver(),
        takes: monitor.canDrop(),
        refusal: entry && !isItsOwn(entry) ? refusal(entry) : null,
      }
    },
  })
  const refuses = refused !== null
  const more = entries.length - shown
  return (
    <td
      ref={(element) => {
        drop(element)
      }}
      data-testid={`day-${day}`}
      data-refuses={refuses || undefined}
      className={cell({ outside: isOutside, drop: over ? (takes ? 'takes' : refuses ? 'refuses' : 'idle') : 'idle' })}
    >
      <p className="mb-1 flex items-center justify-between @max-[28rem]:justify-center">
        <span
          className={`tabular grid h-6 min-w-6 place-items-center rounded-full px-1 text-xs ${isToday ? 'bg-accent font-semibold text-on-accent' : isOutside || isPast ? 'text-quiet' : 'font-medium'}`}
          {...(isToday && { 'aria-current': 'date' })}
        >
          <span aria-hidden>{Number(day.slice(8))}</span>
          <span className="sr-only">{formatDay(day)}</span>
        </span>
        {refuses && over && <span className="truncate text-xs font-medium text-rejected-ink">{refused}</span>}
      </p>
      {entries.length > 0 && <DayDots day={day} entries={entries} onPress={() => onMore(day)} />}
      <ul className={`flex flex-col gap-1 transition-opacity @max-[28rem]:hidden ${refuses ? 'opacity-40' : ''}`}>
        {entries.slice(0, more === 1 ? shown + 1 : shown).map((entry) => (
          <li key={entry.id}>
            <PostTile entry={entry} zone={zone} onOpen={() => onOpen(entry)} receded={isOutside} />
          </li>
        ))}
      </ul>
      {more > 1 && (
        <button
          type="button"
          onClick={() => onMore(day)}
          aria-label={`${more} more on ${formatDay(day)}`}
          className="mt-1 rounded-control px-1.5 py-0.5 text-xs font-medium text-quiet hover:bg-n3 hover:text-ink @max-[28rem]:hidden"
        >
          {`+${more} more`}
        </button>
      )}
    </td>
  )
}

import { Plus } from 'lucide-react'
import { useDrop } from 'react-dnd'
import type { CalendarTile, Client } from '../../../api/contract/index.ts'
import { dayKey, formatDay } from '../../lib/dates.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import type { DayPosts } from './by-day.ts'
import { collisionOf } from './collision.ts'
import type { GridActions } from './MonthGrid.tsx'
import { DayDots } from './DayDots.tsx'
import { PostTile } from './PostTile.tsx'
import { refusalOf } from './refusal.ts'
import type { GridStop } from './use-grid-keys.ts'
import { variants } from '../../ui/variants.ts'
import { words } from './words.ts'
import { ForRole } from '../../ui/ForRole.tsx'

const cell = variants({
  base: 'group/day relative border-r border-b border-line p-0.5 align-top @[40rem]:p-1.5 transition-colors last:border-r-0 -outline-offset-2',
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
  readonly posts: DayPosts
  /** Tiles at most, unless a last one takes no more room than what opens it. */
  readonly shown: number
  readonly clients: ReadonlyMap<string, Client> | null
  readonly loading: boolean
  readonly isOutside: boolean
  readonly isToday: boolean
  readonly isPast: boolean
  /** A week's cells have room for the text under the time, however narrow they are. */
  readonly isInWeek: boolean
  readonly stop: GridStop | null
  readonly zone: string
  readonly blocked: string | null
}

interface Collected {
  readonly over: boolean
  readonly takes: boolean
  /** Why it can't be let go here. */
  readonly refusal: string | null
  /** The time of a post that it would stand close to. */
  readonly collision: string | null
}

export function DayCell({
  day,
  posts,
  shown,
  clients,
  loading,
  isOutside,
  isToday,
  isPast,
  isInWeek,
  stop,
  zone,
  ...rest
}: Props) {
  const { blocked, onOpen, onMore, onDrop, onNew } = rest
  const { entries } = posts
  const isItsOwn = (entry: CalendarTile) => dayKey(entry.scheduledFor, zone) === day
  const refusal = (entry: CalendarTile) => refusalOf(entry, day, new Date().toISOString(), { zone, blocked })
  const [{ over, takes, refusal: refused, collision }, drop] = useDrop<CalendarTile, void, Collected>({
    accept: 'post',
    canDrop: (entry) => !isItsOwn(entry) && refusal(entry) === null,
    drop: (entry) => onDrop(entry, day, collisionOf(entry, entries, zone)),
    collect: (monitor) => {
      const entry: CalendarTile | null = monitor.getItem()
      const comes = entry !== null && !isItsOwn(entry)
      return {
        over: monitor.isOver(),
        takes: monitor.canDrop(),
        refusal: comes ? refusal(entry) : null,
        collision: comes && monitor.isOver() ? collisionOf(entry, entries, zone) : null,
      }
    },
  })
  const refuses = refused !== null
  const count = entries.length + posts.more
  const tiles = entries.slice(0, count === shown + 1 ? shown + 1 : shown)
  const more = count - tiles.length
  // The stop may be a post that has left the day.
  const stopId = stop && (tiles.find(({ id }) => id === stop.id) ?? tiles[0])?.id
  return (
    <td
      ref={(element) => {
        drop(element)
      }}
      data-testid={`day-${day}`}
      data-day={day}
      data-refuses={refuses || undefined}
      tabIndex={stop && count === 0 ? 0 : -1}
      {...(count === 0 && { 'aria-label': words.noPostsOn(formatDay(day)) })}
      className={cell({ outside: isOutside, drop: over ? (takes ? 'takes' : refuses ? 'refuses' : 'idle') : 'idle' })}
    >
      <p className="mb-1 flex items-center justify-between gap-1 @max-[28rem]:justify-center">
        <span
          className={`tabular grid h-6 min-w-6 shrink-0 place-items-center rounded-full px-1 text-xs ${isToday ? 'bg-accent font-semibold text-on-accent' : isOutside || isPast ? 'text-quiet' : 'font-medium'}`}
          {...(isToday && { 'aria-current': 'date' })}
        >
          <span aria-hidden>{Number(day.slice(8))}</span>
          <span className="sr-only">{formatDay(day)}</span>
        </span>
        {refuses && over && <span className="truncate text-xs font-medium text-rejected-ink">{refused}</span>}
        {takes && collision !== null && (
          <span className="truncate text-xs font-medium text-pending-ink">{words.closeTo(collision)}</span>
        )}
        {!isPast && !over && (
          <ForRole least="writer">
            <button
              type="button"
              tabIndex={-1}
              onClick={() => onNew(day)}
              aria-label={words.newPostOn(formatDay(day))}
              className="z-10 grid size-6 place-items-center rounded-control text-quiet opacity-0 transition-opacity group-hover/day:opacity-100 focus-visible:opacity-100 hover:bg-n3 hover:text-ink @max-[28rem]:hidden pointer-coarse:hidden"
            >
              <Plus aria-hidden className="size-4" />
            </button>
          </ForRole>
        )}
      </p>
      <ul className={`flex flex-col gap-1 transition-opacity @max-[28rem]:hidden ${refuses ? 'opacity-40' : ''}`}>
        {tiles.map((entry) => (
          <li key={entry.id}>
            <PostTile
              entry={entry}
              zone={zone}
              client={clients?.get(entry.clientId)}
              onOpen={() => onOpen(entry)}
              receded={isOutside}
              isInWeek={isInWeek}
              isStop={entry.id === stopId}
            />
          </li>
        ))}
      </ul>
      {loading && <TileSkeletons day={day} />}
      {more > 0 && (
        <button
          type="button"
          onClick={() => onMore(day)}
          data-item
          tabIndex={stop && tiles.length === 0 ? 0 : -1}
          aria-label={words.moreOn(more, formatDay(day))}
          className="mt-1 rounded-control px-1.5 py-0.5 text-xs font-medium text-quiet hover:bg-n3 hover:text-ink @max-[28rem]:hidden"
        >
          {words.more(more)}
        </button>
      )}
      {count > 0 && (
        <DayDots day={day} entries={entries} count={count} isStop={stop !== null} onPress={() => onMore(day)} />
      )}
    </td>
  )
}

/** One or two, so that the month looks like a month; always the same ones of a day. */
function TileSkeletons({ day }: { readonly day: string }) {
  const date = Number(day.slice(8))
  const count = (date * 7) % 5 === 0 ? 0 : date % 3 === 0 ? 2 : 1
  return (
    <div aria-hidden data-testid="skeleton-day" className="flex flex-col gap-1">
      {Array.from({ length: count }, (_, index) => (
        <Skeleton key={index} className="h-10 @max-[28rem]:mx-auto @max-[28rem]:size-1.5" />
      ))}
    </div>
  )
}

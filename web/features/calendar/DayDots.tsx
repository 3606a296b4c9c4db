import type { CalendarTile } from '../../../api/contract/index.ts'
import { formatDay } from '../../lib/dates.ts'
import { platformLook } from '../../lib/platforms.ts'
import { words } from './words.ts'

interface Props {
  readonly day: string
  readonly entries: readonly CalendarTile[]
  /** All of the day. */
  readonly count: number
  readonly isStop: boolean
  readonly onPress: () => void
}

const shown = 3

/** A day where a tile has no room, as on a phone: its networks as dots; the whole day opens. */
export function DayDots({ day, entries, count, isStop, onPress }: Props) {
  return (
    <button
      type="button"
      onClick={onPress}
      data-item
      tabIndex={isStop ? 0 : -1}
      aria-label={words.posts(count, formatDay(day))}
      className="absolute inset-0 flex items-start justify-center gap-1 pt-11 -outline-offset-2 @[28rem]:hidden"
    >
      {entries.slice(0, shown).map(({ id, platform, status }) => (
        <span
          key={id}
          aria-hidden
          className={`size-1.5 rounded-full ${status === 'draft' || status === 'pending' ? 'border border-control' : platformLook[platform].bar}`}
        />
      ))}
      {count > shown && (
        <span aria-hidden className="tabular text-xs leading-none text-quiet">{`+${count - shown}`}</span>
      )}
    </button>
  )
}

import type { CalendarEntry } from '../../../api/contract/index.ts'
import { formatDay } from '../../lib/dates.ts'
import { platformLook } from '../../lib/platforms.ts'

interface Props {
  readonly day: string
  readonly entries: readonly CalendarEntry[]
  readonly onPress: () => void
}

/** A day where a tile has no room, as on a phone: its networks as dots; the whole day opens. */
export function DayDots({ day, entries, onPress }: Props) {
  return (
    <button
      type="button"
      onClick={onPress}
      aria-label={`${entries.length} ${entries.length === 1 ? 'post' : 'posts'} on ${formatDay(day)}`}
      className="absolute inset-0 flex items-start justify-center gap-1 pt-11 -outline-offset-2 @[28rem]:hidden"
    >
      {entries.slice(0, 3).map(({ id, platform }) => (
        <span key={id} aria-hidden className={`size-1.5 rounded-full ${platformLook[platform].bar}`} />
      ))}
      {entries.length > 3 && (
        <span aria-hidden className="tabular text-xs leading-none text-quiet">{`+${entries.length - 3}`}</span>
      )}
    </button>
  )
}

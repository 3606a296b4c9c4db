import { CircleAlert } from 'lucide-react'
import { useDrag } from 'react-dnd'
import type { CalendarEntry } from '../../../api/contract/index.ts'
import { formatTime } from '../../lib/dates.ts'
import { platformLook } from '../../lib/platforms.ts'
import { PlatformIcon } from '../../ui/PlatformIcon.tsx'
import { deliveryWords, statusLabel } from '../../ui/posts/status.ts'

interface Props {
  readonly entry: CalendarEntry
  readonly zone: string
  readonly onOpen: () => void
  readonly receded?: boolean
}

/** In a narrow cell, as on a tablet, its network above its time. */
export function PostTile({ entry, zone, onOpen, receded = false }: Props) {
  const movable = entry.can.includes('reschedule')
  const [{ dragging }, drag] = useDrag({
    type: 'post',
    item: entry,
    canDrag: movable,
    collect: (monitor) => ({ dragging: monitor.isDragging() }),
  })
  const { name, bar, tint } = platformLook[entry.platform]
  const time = formatTime(entry.scheduledFor, zone)
  const trouble = deliveryWords(entry, zone)
  const state = trouble ? `${statusLabel[entry.status]}, ${trouble.title}` : statusLabel[entry.status]
  const faint = entry.status === 'published' || receded
  return (
    <button
      type="button"
      ref={(element) => {
        drag(element)
      }}
      onClick={onOpen}
      data-testid="calendar-post"
      data-post-id={entry.id}
      data-status={entry.status}
      aria-label={`${name}, ${time}, ${state}: ${entry.excerpt.slice(0, 80)}`}
      className={`relative block w-full overflow-hidden rounded-control py-1 pr-0 pl-[5px] text-left select-none @[40rem]:pr-1 @[40rem]:pl-2 lg:pr-1.5 lg:pl-2.5 transition-[opacity,filter] hover:brightness-95 dark:hover:brightness-125 ${tint} ${movable ? 'cursor-grab!' : ''} ${dragging ? 'opacity-30' : ''}`}
    >
      <span aria-hidden className={`absolute inset-y-0 left-0 w-[3px] ${bar} ${faint ? 'opacity-40' : ''}`} />
      <span
        className={`tabular flex items-center gap-1 text-xs @max-[40rem]:flex-wrap @max-[40rem]:tracking-tight @max-[40rem]:gap-y-0 lg:gap-1.5 ${faint ? 'text-quiet' : 'font-medium text-ink'}`}
      >
        <PlatformIcon platform={entry.platform} className={`order-first size-3 ${faint ? 'opacity-60' : ''}`} />
        <span className="whitespace-nowrap">{time}</span>
        {trouble && <CircleAlert aria-hidden className="ml-auto size-3 text-unknown-ink @max-[40rem]:-order-1" />}
      </span>
      <span dir="auto" className="block truncate text-xs text-quiet @max-[40rem]:hidden">
        {entry.excerpt}
      </span>
    </button>
  )
}

import { CircleAlert } from 'lucide-react'
import { useDrag } from 'react-dnd'
import type { CalendarTile, Client, PostStep } from '../../../api/contract/index.ts'
import { formatTime } from '../../lib/dates.ts'
import { platformLook } from '../../lib/platforms.ts'
import { PlatformIcon } from '../../ui/PlatformIcon.tsx'
import { deliveryWords, statusLabel } from '../../ui/posts/status.ts'
import { StatusIcon } from '../../ui/posts/StatusBadge.tsx'
import { ClientMark } from './ClientMark.tsx'
import { words } from './words.ts'

interface Props {
  readonly entry: CalendarTile
  readonly zone: string
  /** Where posts of several clients are shown. */
  readonly client: Client | undefined
  readonly onOpen: () => void
  readonly receded?: boolean
  /** Its text has up to three lines, in a narrow cell of their own. */
  readonly isInWeek: boolean
  /** Whether Tab leads to it. */
  readonly isStop: boolean
}

/** What a screen reader says of a post on the calendar. */
export function tileLabel(entry: CalendarTile, zone: string, client: Client | undefined): string {
  const trouble = deliveryWords(entry, zone)
  const { steps } = entry
  const position = steps?.findIndex(({ state }) => state === 'open') ?? -1
  const step = steps?.[position]
  const open = step && words.step(step.name, position + 1, steps?.length ?? 0)
  const state = [statusLabel[entry.status], trouble?.title, open].filter(Boolean).join(', ')
  const whose = client ? `, ${client.name}` : ''
  return `${platformLook[entry.platform].name}, ${formatTime(entry.scheduledFor, zone)}, ${state}${whose}: ${entry.excerpt.slice(0, 80)}`
}

/** In a narrow cell, as on a tablet, its network above its time. */
export function PostTile({ entry, zone, client, onOpen, receded = false, isInWeek, isStop }: Props) {
  const movable = entry.can.includes('reschedule')
  const [{ dragging }, drag] = useDrag({
    type: 'post',
    item: entry,
    canDrag: movable,
    collect: (monitor) => ({ dragging: monitor.isDragging() }),
  })
  const { bar, tint } = platformLook[entry.platform]
  const isOpen = entry.status === 'draft' || entry.status === 'pending'
  const faint = entry.status === 'published' || receded
  return (
    <button
      type="button"
      ref={(element) => {
        drag(element)
      }}
      onClick={onOpen}
      tabIndex={isStop ? 0 : -1}
      data-item
      data-testid="calendar-post"
      data-post-id={entry.id}
      data-status={entry.status}
      aria-label={tileLabel(entry, zone, client)}
      className={`relative block w-full overflow-hidden rounded-control py-1 pr-0.5 pl-[5px] text-left select-none @[40rem]:pr-1 @[40rem]:pl-2 lg:pr-1.5 lg:pl-2.5 transition-[opacity,filter] hover:brightness-95 ${isOpen ? 'border border-dashed border-control bg-surface' : tint} ${movable ? 'cursor-grab!' : ''} ${dragging ? 'opacity-30' : ''}`}
    >
      <span aria-hidden className={`absolute inset-y-0 left-0 w-[3px] ${bar} ${faint || isOpen ? 'opacity-40' : ''}`} />
      <span
        className={`tabular flex items-center gap-1 text-xs @max-[40rem]:flex-wrap @max-[40rem]:tracking-tight @max-[40rem]:gap-y-0 lg:gap-1.5 ${faint ? 'text-quiet' : 'font-medium text-ink'}`}
      >
        <PlatformIcon platform={entry.platform} className={`order-first size-3 ${faint ? 'opacity-60' : ''}`} />
        <span className="@[40rem]:whitespace-nowrap">{formatTime(entry.scheduledFor, zone)}</span>
        <span className="ml-auto flex items-center gap-1 @max-[40rem]:-order-1">
          {entry.status === 'pending' && entry.steps && <StepDots steps={entry.steps} />}
          {deliveryWords(entry, zone) ? (
            <CircleAlert aria-hidden className="size-3 text-unknown-ink" />
          ) : (
            <StatusIcon status={entry.status} />
          )}
        </span>
      </span>
      <span
        className={`flex gap-1 text-xs text-quiet ${isInWeek ? 'items-start pb-0.5 @max-[40rem]:flex-col @max-[40rem]:gap-0.5' : 'items-center @max-[40rem]:hidden'}`}
      >
        {client && <ClientMark client={client} />}
        <span
          dir="auto"
          data-testid="tile-text"
          className={`min-w-0 flex-1 ${isInWeek ? 'line-clamp-3 wrap-anywhere @max-[40rem]:w-full @max-[40rem]:flex-none' : 'truncate'}`}
        >
          {entry.excerpt}
        </span>
      </span>
      {client && !isInWeek && (
        <span className="hidden pb-0.5 @max-[40rem]:flex">
          <ClientMark client={client} />
        </span>
      )}
    </button>
  )
}

const dots = {
  approved: 'bg-approved-ink',
  skipped: 'bg-approved-ink opacity-50',
  open: 'bg-pending-ink',
  waiting: 'border border-control',
} as const

/** The approval steps in short: the details name them. */
const StepDots = ({ steps }: { readonly steps: readonly PostStep[] }) => (
  <span aria-hidden data-testid="tile-steps" className="flex gap-0.5 @max-[40rem]:hidden">
    {steps.map(({ id, state }) => (
      <span key={id} className={`size-1.5 rounded-full ${dots[state]}`} />
    ))}
  </span>
)

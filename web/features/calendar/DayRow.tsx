import { CircleAlert } from 'lucide-react'
import type { CalendarTile, Client } from '../../../api/contract/index.ts'
import { formatTime } from '../../lib/dates.ts'
import { Badge } from '../../ui/Badge.tsx'
import { PlatformIcon } from '../../ui/PlatformIcon.tsx'
import { deliveryWords } from '../../ui/posts/status.ts'
import { StatusBadge } from '../../ui/posts/StatusBadge.tsx'
import { ClientMark } from './ClientMark.tsx'
import { tileLabel } from './PostTile.tsx'

interface Props {
  readonly entry: CalendarTile
  readonly zone: string
  readonly client: Client | undefined
  readonly onOpen: () => void
}

/** A post in a line, where days stand under each other. On a phone its text has a line of its own. */
export function DayRow({ entry, zone, client, onOpen }: Props) {
  const trouble = deliveryWords(entry, zone)
  return (
    <button
      type="button"
      onClick={onOpen}
      data-testid="calendar-post"
      data-post-id={entry.id}
      data-status={entry.status}
      aria-label={tileLabel(entry, zone, client)}
      className="flex w-full flex-wrap items-center gap-x-3 gap-y-1 rounded-control px-4 py-2.5 text-left -outline-offset-2 hover:bg-n3"
    >
      <PlatformIcon platform={entry.platform} />
      <span className="tabular w-18 shrink-0 font-medium">{formatTime(entry.scheduledFor, zone)}</span>
      {client && <ClientMark client={client} />}
      <span dir="auto" className="min-w-0 flex-1 truncate text-quiet max-sm:order-last max-sm:basis-full">
        {entry.excerpt}
      </span>
      <span className="ml-auto">
        {trouble ? (
          <Badge tone={trouble.tone} icon={<CircleAlert aria-hidden />}>
            {trouble.state}
          </Badge>
        ) : (
          <StatusBadge status={entry.status} />
        )}
      </span>
    </button>
  )
}

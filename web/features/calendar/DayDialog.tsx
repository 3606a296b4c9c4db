import type { CalendarEntry } from '../../../api/contract/index.ts'
import { formatDay, formatTime } from '../../lib/dates.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { PlatformIcon } from '../../ui/PlatformIcon.tsx'
import { StatusBadge } from '../../ui/posts/StatusBadge.tsx'

interface Props {
  readonly day: string
  readonly entries: readonly CalendarEntry[]
  readonly zone: string
  readonly onClose: () => void
  readonly onOpen: (entry: CalendarEntry) => void
}

export default function DayDialog({ day, entries, zone, onClose, onOpen }: Props) {
  return (
    <Dialog open onClose={onClose} title={formatDay(day)}>
      <ul className="-mx-3 flex flex-col gap-0.5">
        {entries.map((entry) => (
          <li key={entry.id}>
            <button
              type="button"
              onClick={() => onOpen(entry)}
              className="flex w-full items-center gap-3 rounded-control px-3 py-2.5 text-left hover:bg-n3"
            >
              <PlatformIcon platform={entry.platform} named />
              <span className="tabular w-18 shrink-0 font-medium">{formatTime(entry.scheduledFor, zone)}</span>
              <span dir="auto" className="min-w-0 flex-1 truncate text-quiet">
                {entry.excerpt}
              </span>
              <StatusBadge status={entry.status} />
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

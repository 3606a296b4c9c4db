import { useQuery } from '@tanstack/react-query'
import { useDragLayer } from 'react-dnd'
import type { CalendarTile } from '../../../api/contract/index.ts'
import { wholePostQuery } from '../../lib/queries.ts'
import { PriceNote } from '../../ui/posts/PriceNote.tsx'
import { blockedFor, type Circumstances } from './refusal.ts'

/** While a post is in the hand: why it can't be let go anywhere, or what its network charges for it. */
export function DragNote(around: Circumstances) {
  const entry = useDragLayer((monitor): CalendarTile | null => (monitor.isDragging() ? monitor.getItem() : null))
  const reason = entry && blockedFor(entry, around)
  const costs = entry?.platform === 'twitter'
  // A price follows from the whole text.
  const whole = useQuery({ ...wholePostQuery(entry?.id ?? '', null), enabled: costs && entry.truncated })
  const content = entry?.truncated ? whole.data?.content : entry?.excerpt
  return (
    <output
      className="pointer-events-none fixed inset-x-0 bottom-6 z-30 flex justify-center px-4"
      data-testid="drag-note"
    >
      {(reason !== null || (costs && content !== undefined)) && (
        <span className="rounded-control bg-n12 px-3 py-2 text-sm font-medium text-n1 shadow-float">
          {reason ??
            (entry && content !== undefined && (
              <PriceNote platform={entry.platform} content={content} network={null} inherit />
            ))}
        </span>
      )}
    </output>
  )
}

import { Link } from '@tanstack/react-router'
import type { PostStatus, ScheduleSlot } from '../../../../api/contract/index.ts'
import { formatSoon } from '../../../lib/dates.ts'
import { slotWords, type SlotWords, words } from './words.ts'

const inks: Readonly<Record<SlotWords['tone'], string>> = {
  draft: 'text-quiet before:bg-n8',
  pending: 'text-pending-ink before:bg-current',
  approved: 'text-approved-ink before:bg-current',
  scheduled: 'text-scheduled-ink before:bg-current',
  published: 'text-published-ink before:bg-current',
  rejected: 'text-rejected-ink before:bg-current',
}

const tabs: Readonly<Record<PostStatus, 'draft' | 'pending' | 'approved' | 'published'>> = {
  draft: 'draft',
  rejected: 'draft',
  pending: 'pending',
  approved: 'approved',
  scheduled: 'approved',
  published: 'published',
}

interface Props {
  readonly slots: readonly ScheduleSlot[]
  readonly zone: string
  readonly needsImage: boolean
  /** Whether posts are being written for them. */
  readonly waits: boolean
  /** The client whose posts the slots link to; absent beside a form, which has less room. */
  readonly clientId?: string
}

/** Seven times beside each other; on a phone, one below the other. */
export function SlotStrip({ slots, zone, needsImage, waits, clientId }: Props) {
  const narrow = clientId === undefined
  return (
    <ol
      aria-label={words.nextTimes}
      className={`grid overflow-hidden rounded-control border border-line ${narrow ? '' : 'lg:grid-cols-7'}`}
    >
      {slots.map((slot) => {
        const [day = '', time = ''] = formatSoon(slot.at, zone).split(' at ')
        const { text, tone } = slotWords(slot, { waits, needsImage, zone })
        return (
          <li
            key={slot.at}
            data-testid="slot"
            data-state={slot.state}
            className={`flex min-w-0 flex-wrap items-baseline justify-between gap-x-3 gap-y-1 border-line px-3 py-2 not-last:border-b ${narrow ? '' : 'lg:flex-col lg:justify-start lg:py-3 lg:not-last:border-r lg:not-last:border-b-0'}`}
          >
            <span className="tabular">
              <span className="font-medium">{day}</span>
              <span className={`text-quiet ${narrow ? '' : 'lg:block'}`}>{` ${time}`}</span>
            </span>
            <span
              className={`flex items-baseline gap-1.5 text-sm before:size-1.5 before:shrink-0 before:-translate-y-0.5 before:rounded-full ${inks[tone]}`}
            >
              {clientId === undefined || slot.postId === undefined ? (
                text
              ) : (
                <Link
                  to="/content"
                  search={{ client: clientId, tab: tabs[slot.status ?? 'pending'] }}
                  className="underline decoration-n7 underline-offset-4 hover:decoration-current"
                >
                  {text}
                </Link>
              )}
            </span>
            {slot.moved && <span className="text-sm text-quiet">{words.clocksForward}</span>}
          </li>
        )
      })}
    </ol>
  )
}

import { CircleCheck, CircleHelp, CirclePause, CircleX, Send } from 'lucide-react'
import type { ReactNode } from 'react'
import type { DeliveryWords } from './status.ts'

const looks = {
  live: { style: 'bg-published-soft text-published-ink', icon: CircleCheck },
  unknown: { style: 'bg-unknown-soft text-unknown-ink', icon: CircleHelp },
  rejected: { style: 'bg-rejected-soft text-rejected-ink', icon: CircleX },
  pending: { style: 'bg-pending-soft text-pending-ink', icon: CirclePause },
  scheduled: { style: 'bg-scheduled-soft text-scheduled-ink', icon: Send },
}

interface Props {
  readonly tone: DeliveryWords['tone'] | 'live'
  readonly title: string
  /** Further explanation and buttons. */
  readonly children?: ReactNode
}

/** Describes the delivery where there is more to say than the status. */
export function DeliveryNote({ tone, title, children }: Props) {
  const { style, icon: Icon } = looks[tone]
  return (
    <div data-testid="delivery-note" className={`flex gap-2 rounded-control px-3 py-2 text-sm ${style}`}>
      <Icon aria-hidden className="mt-px size-4 shrink-0" />
      <div className="min-w-0 flex-1">
        <p className="font-medium wrap-anywhere">{title}</p>
        {children}
      </div>
    </div>
  )
}

import { CircleHelp, CirclePause, CircleX, Send } from 'lucide-react'
import type { Post } from '../../../api/contract/index.ts'
import { deliveryWords } from './status.ts'

const looks = {
  unknown: { style: 'bg-unknown-soft text-unknown-ink', icon: CircleHelp },
  rejected: { style: 'bg-rejected-soft text-rejected-ink', icon: CircleX },
  pending: { style: 'bg-pending-soft text-pending-ink', icon: CirclePause },
  scheduled: { style: 'bg-scheduled-soft text-scheduled-ink', icon: Send },
}

interface Props {
  readonly post: Pick<Post, 'delivery'> & Partial<Pick<Post, 'deliveryNote' | 'heldBecause' | 'retryAt'>>
  readonly zone: string
  /** Only the title, for a card. */
  readonly brief?: boolean
}

export function DeliveryNote({ post, zone, brief = false }: Props) {
  const words = deliveryWords(post, zone)
  if (!words) return null
  const { style, icon: Icon } = looks[words.tone]
  return (
    <div data-testid="delivery-note" className={`flex gap-2 rounded-control px-3 py-2 text-sm ${style}`}>
      <Icon aria-hidden className="mt-px size-4 shrink-0" />
      <div className="min-w-0">
        <p className="font-medium">{words.title}</p>
        {!brief && <p className="mt-0.5 wrap-anywhere">{words.text}</p>}
      </div>
    </div>
  )
}

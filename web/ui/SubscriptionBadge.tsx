import type { Agency } from '../../api/contract/index.ts'
import { Badge, type BadgeTone } from './Badge.tsx'
import { words } from './words.ts'

type Status = Agency['subscriptionStatus']

const troubled: readonly Status[] = ['expired', 'past_due', 'unpaid', 'canceled']
const toneOf = (status: Status): BadgeTone => (troubled.includes(status) ? 'rejected' : 'default')

interface Props {
  readonly status: Status
  /** The raw status in the badge, or the word for it. */
  readonly label?: string
}

export function SubscriptionBadge({ status, label }: Props) {
  if (status === 'trialing') {
    return (
      <Badge tone="secondary" testId="badge-subscription">
        {words.freeTrial}
      </Badge>
    )
  }
  return (
    <Badge tone={toneOf(status)} testId="badge-subscription">
      {label ?? status}
    </Badge>
  )
}

import { CalendarCheck, CircleCheck, CircleX, Clock, PencilLine, Send, type LucideIcon } from 'lucide-react'
import type { PostStatus } from '../../../api/contract/index.ts'
import { Badge } from '../Badge.tsx'
import { statusLabel } from './status.ts'

const icons: Readonly<Record<PostStatus, LucideIcon>> = {
  draft: PencilLine,
  pending: Clock,
  approved: CircleCheck,
  scheduled: CalendarCheck,
  published: Send,
  rejected: CircleX,
}

/** A status that this version doesn't know shows as a draft. */
export function StatusBadge({ status }: { readonly status: PostStatus }) {
  const known = status in statusLabel ? status : 'draft'
  const Icon = icons[known]
  return (
    <Badge tone={known} icon={<Icon aria-hidden />} testId={`status-${known}`}>
      {statusLabel[known]}
    </Badge>
  )
}

const inks: Readonly<Record<PostStatus, string>> = {
  draft: 'text-draft-ink',
  pending: 'text-pending-ink',
  approved: 'text-approved-ink',
  scheduled: 'text-scheduled-ink',
  published: 'text-published-ink',
  rejected: 'text-rejected-ink',
}

/** The status where there is no room for its word: something beside it must say it. */
export function StatusIcon({ status }: { readonly status: PostStatus }) {
  const known = status in statusLabel ? status : 'draft'
  const Icon = icons[known]
  return <Icon aria-hidden className={`size-3 ${inks[known]}`} />
}

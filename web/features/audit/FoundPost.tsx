import { Trash2 } from 'lucide-react'
import type { AuditPost } from '../../../api/contract/index.ts'
import { formatDateTime } from '../../lib/dates.ts'
import { Badge } from '../../ui/Badge.tsx'
import { PlatformIcon } from '../../ui/PlatformIcon.tsx'
import { StatusBadge } from '../../ui/posts/StatusBadge.tsx'
import { words } from './words.ts'

interface Props {
  readonly post: AuditPost
  readonly zone: string
  readonly onOpen: () => void
}

export function AuditStatus({ status }: Pick<AuditPost, 'status'>) {
  if (status !== 'deleted') return <StatusBadge status={status} />
  return (
    <Badge tone="draft" icon={<Trash2 aria-hidden />} testId="status-deleted">
      {words.statuses.deleted}
    </Badge>
  )
}

export function FoundPost({ post, zone, onOpen }: Props) {
  const { platform, clientName, status, content, lastAt, events } = post
  return (
    <li>
      <button
        type="button"
        onClick={onOpen}
        data-testid="audit-post"
        data-post-id={post.id}
        data-status={status}
        className="flex w-full cursor-default flex-col gap-1.5 rounded-card border border-line bg-surface px-4 py-3 text-left hover:border-n7"
      >
        <span className="flex w-full flex-wrap items-center gap-x-3 gap-y-1.5">
          <PlatformIcon platform={platform} />
          <span dir="auto" className="font-medium">
            {clientName}
          </span>
          <AuditStatus status={status} />
          <span className="tabular ml-auto text-sm text-quiet">
            {words.events(events, formatDateTime(lastAt, zone))}
          </span>
        </span>
        <span dir="auto" className="prose-post line-clamp-2 max-w-text text-quiet">
          {content}
        </span>
      </button>
    </li>
  )
}

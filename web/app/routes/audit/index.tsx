import { createFileRoute } from '@tanstack/react-router'
import { OwnAudit } from '../../../features/audit/OwnAudit.tsx'
import { text } from '../../../lib/search.ts'

export const Route = createFileRoute('/audit/')({
  validateSearch: (search): AuditSearch => ({ post: text(search, 'post') }),
  component: Screen,
})

interface AuditSearch {
  /** The one that is replayed. */
  readonly post?: string | undefined
}

function Screen() {
  const { post } = Route.useSearch()
  const navigate = Route.useNavigate()
  return <OwnAudit postId={post ?? null} onPost={(id) => void navigate({ search: { post: id ?? undefined } })} />
}

import { TriangleAlert } from 'lucide-react'
import type { DashboardFigures } from '../../../api/contract/index.ts'
import { platformLook } from '../../lib/platforms.ts'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Card } from '../../ui/Card.tsx'

/** Connections that need a person: nothing is shown while there are none. */
export function ConnectionWarnings({
  warnings,
}: {
  readonly warnings: DashboardFigures['connectionWarnings'] | undefined
}) {
  if (warnings === undefined || warnings.length === 0) return null
  return (
    <Card className="flex flex-col gap-3 py-4! sm:py-4!" data-testid="card-connections">
      <h2 className="flex items-center gap-2 font-semibold">
        <TriangleAlert aria-hidden className="size-5 text-pending-ink" />
        {warnings.length === 1 ? 'A connection needs you' : `${warnings.length} connections need you`}
      </h2>
      <ul className="flex flex-col gap-2">
        {warnings.map(({ accountId, clientId, clientName, accountName, platform, state, posts }) => (
          <li key={accountId} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <p className="min-w-0 flex-1 basis-60 wrap-anywhere">
              <bdi className="font-medium">{accountName}</bdi>
              {` (${platformLook[platform].name}, `}
              <bdi>{clientName}</bdi>
              {`) ${state === 'broken' ? 'is not connected any more.' : 'has to be connected again soon.'} ${postWords(posts)}`}
            </p>
            <LinkButton to="/clients/$id" params={{ id: clientId }} search={{ tab: 'accounts' }} size="sm">
              Show Account
            </LinkButton>
          </li>
        ))}
      </ul>
    </Card>
  )
}

const postWords = (posts: number) =>
  posts === 0 ? '' : posts === 1 ? '1 post on its way depends on it.' : `${posts} posts on their way depend on it.`

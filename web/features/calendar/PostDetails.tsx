import { useQuery } from '@tanstack/react-query'
import { CalendarClock, Copy } from 'lucide-react'
import type { CalendarTile } from '../../../api/contract/index.ts'
import { formatDateTime } from '../../lib/dates.ts'
import { platformLook } from '../../lib/platforms.ts'
import { release, usePostAction } from '../../lib/post-actions.ts'
import { priceLine } from '../../lib/post-problems.ts'
import { accountsQuery, clientsQuery, wholePostQuery } from '../../lib/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { LoadError } from '../../ui/LoadError.tsx'
import { PaidButton } from '../../ui/PaidButton.tsx'
import { PaidLink } from '../../ui/PaidLink.tsx'
import { DeliveryNote } from '../../ui/posts/DeliveryNote.tsx'
import { NetworkPreview } from '../../ui/posts/NetworkPreview.tsx'
import { accountWords, deliveryWords } from '../../ui/posts/status.ts'
import { StatusBadge } from '../../ui/posts/StatusBadge.tsx'
import { words as postWords } from '../../ui/posts/words.ts'

interface Props {
  readonly entry: CalendarTile
  readonly zone: string
  readonly onClose: () => void
  /** Includes the price of publishing where it is known. */
  readonly onMove: (price: string | undefined) => void
}

export default function PostDetails({ entry, zone, onClose, onMove }: Props) {
  const accounts = useQuery(accountsQuery(entry.clientId))
  const clients = useQuery(clientsQuery)
  const whole = useQuery(wholePostQuery(entry.id, null))
  const account = accounts.data?.find(({ id }) => id === whole.data?.socialAccountId)
  const client = clients.data?.find(({ id }) => id === entry.clientId)
  // A new time lets a stuck post go.
  const Move = entry.can.includes('release') || entry.can.includes('retry') ? PaidButton : Button
  const text = whole.data?.content ?? (entry.truncated ? undefined : entry.excerpt)
  const error = whole.isError && !whole.isFetching ? whole.error : null
  const price =
    entry.status === 'published' || text === undefined
      ? undefined
      : priceLine(entry.platform, text, account?.network ?? null)
  const { run, running } = usePostAction()
  const words = deliveryWords(whole.data ?? entry, zone) ?? accountWords(entry, account, zone)
  return (
    <Dialog
      open
      onClose={onClose}
      title="Post Details"
      footer={
        <>
          <LinkButton look="quiet" className="mr-auto -ml-2" to="/content" search={{ client: entry.clientId }}>
            Open in Content
          </LinkButton>
          <PaidLink
            look="quiet"
            to="/clients/$id"
            params={{ id: entry.clientId }}
            search={{ tab: 'posts', compose: true, from: entry.id }}
            data-testid="button-duplicate-post"
          >
            <Copy aria-hidden />
            {postWords.duplicate}
          </PaidLink>
          {entry.can.includes('release') && (
            <PaidButton
              onPress={() => run(entry.id, release, onClose)}
              pending={running !== null}
              data-testid="button-release-post"
            >
              Release
            </PaidButton>
          )}
          {entry.can.includes('reschedule') && (
            <Move look="primary" onPress={() => onMove(price)} data-testid="button-move-post">
              <CalendarClock aria-hidden />
              Move to date…
            </Move>
          )}
        </>
      }
    >
      <dl className="mb-4 grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-2">
        <dt className="text-quiet">Platform</dt>
        <dd>{platformLook[entry.platform].name}</dd>
        <dt className="text-quiet">Client</dt>
        <dd dir="auto" className="min-w-0 text-left wrap-anywhere">
          {client?.name ?? ''}
        </dd>
        <dt className="text-quiet">Scheduled</dt>
        <dd className="tabular">{formatDateTime(entry.scheduledFor, zone)}</dd>
        <dt className="text-quiet">Status</dt>
        <dd>
          <StatusBadge status={entry.status} />
        </dd>
        {price !== undefined && (
          <>
            <dt className="self-start text-quiet">Price</dt>
            <dd data-testid="post-price">{price}</dd>
          </>
        )}
      </dl>
      <div className="flex flex-col gap-4">
        {words && (
          <DeliveryNote tone={words.tone} title={words.title}>
            {words.text !== '' && <p className="mt-0.5 wrap-anywhere">{words.text}</p>}
          </DeliveryNote>
        )}
        {error === null ? (
          <NetworkPreview
            platform={entry.platform}
            accountName={account?.accountName ?? client?.name ?? ''}
            content={text}
            imageUrl={whole.data?.imageUrl ?? null}
          />
        ) : (
          <LoadError what="The text" error={error} onRetry={() => void whole.refetch()} />
        )}
      </div>
    </Dialog>
  )
}

import { useQuery } from '@tanstack/react-query'
import { CalendarClock, Send } from 'lucide-react'
import { useState } from 'react'
import type { CalendarTile, Post } from '../../../api/contract/index.ts'
import { formatDateTime } from '../../lib/dates.ts'
import { platformLook } from '../../lib/platforms.ts'
import { publishNow, release, usePostAction } from '../../lib/post-actions.ts'
import { priceLine } from '../../lib/post-problems.ts'
import { accountsQuery, clientsQuery, wholePostQuery } from '../../lib/queries.ts'
import { useNewerPost } from '../../lib/use-newer-post.ts'
import { Button } from '../../ui/Button.tsx'
import { CommentsSection } from '../../ui/comments/CommentsSection.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { LoadError } from '../../ui/LoadError.tsx'
import { PaidButton } from '../../ui/PaidButton.tsx'
import { DeliveryNote } from '../../ui/posts/DeliveryNote.tsx'
import { NetworkPreview } from '../../ui/posts/NetworkPreview.tsx'
import { changeWords, overtakenReason, refusalFor } from '../../ui/posts/newer.ts'
import { NewerLine } from '../../ui/posts/NewerLine.tsx'
import { PublishNow } from '../../ui/posts/PublishNow.tsx'
import { accountWords, deliveryWords } from '../../ui/posts/status.ts'
import { StatusBadge } from '../../ui/posts/StatusBadge.tsx'
import { StepRail } from '../../ui/posts/StepRail.tsx'
import { DuplicateLink } from '../../ui/posts/DuplicateLink.tsx'
import { words as postWords } from '../../ui/posts/words.ts'
import { words } from './words.ts'

interface Props {
  /** As the calendar shows it. */
  readonly entry: CalendarTile
  readonly zone: string
  readonly onClose: () => void
  /** Includes the price of publishing where it is known. */
  readonly onMove: (entry: CalendarTile, price: string | undefined) => void
}

/** The fields of a tile as the post has them. */
const tileOf = (tile: CalendarTile, { status, delivery, heldBecause, scheduledFor, can }: Post): CalendarTile => ({
  ...tile,
  status,
  delivery,
  heldBecause,
  scheduledFor: scheduledFor ?? tile.scheduledFor,
  can,
})

const isOther = (tile: CalendarTile, post: Post) =>
  post.status !== tile.status || post.delivery !== tile.delivery || post.scheduledFor !== tile.scheduledFor

export default function PostDetails({ entry: opened, zone, onClose, onMove }: Props) {
  const accounts = useQuery(accountsQuery(opened.clientId))
  const clients = useQuery(clientsQuery)
  const whole = useQuery(wholePostQuery(opened.id, null))
  // The post as it was asked for after a change elsewhere; the calendar stays as it was read.
  const [asked, setAsked] = useState<Post | null>(null)
  const post = asked ?? whole.data
  const entry = asked ? tileOf(opened, asked) : opened
  const changed = useNewerPost({ id: opened.id, revision: post?.revision ?? null })
  // What a refusal of Publish now led to, where the stream has not told of the change.
  const [found, setFound] = useState<Post | null>(null)
  const overtaken = changed ?? (found && post && found.revision > post.revision ? found : null)
  // The calendar may have been read before the last change.
  const newer = overtaken ?? (asked === null && whole.data && isOther(opened, whole.data) ? whole.data : null)
  const [isAsking, setAsking] = useState(false)
  const refused = refusalFor(entry, newer, 'release') ?? refusalFor(entry, newer, 'reschedule')
  const publishRefused = refusalFor(entry, newer, 'publish-now')
  const reason = refused ?? publishRefused
  const account = accounts.data?.find(({ id }) => id === post?.socialAccountId)
  const client = clients.data?.find(({ id }) => id === entry.clientId)
  // A new time lets a stuck post go.
  const Move = entry.can.includes('release') || entry.can.includes('retry') ? PaidButton : Button
  const text = post?.content ?? (entry.truncated ? undefined : entry.excerpt)
  const error = whole.isError && !whole.isFetching ? whole.error : null
  const price =
    entry.status === 'published' || text === undefined
      ? undefined
      : priceLine(entry.platform, text, account?.network ?? null)
  const { run, running } = usePostAction()
  const trouble =
    deliveryWords(asked ?? (newer === null ? whole.data : undefined) ?? entry, zone) ??
    accountWords(entry, account, zone)
  return (
    <>
      <Dialog
        open
        onClose={onClose}
        title={words.details}
        footer={
          <>
            <div className="mr-auto -ml-2 flex flex-wrap gap-2">
              <LinkButton look="quiet" to="/content" search={{ client: entry.clientId }}>
                {words.openInContent}
              </LinkButton>
              <DuplicateLink post={entry} />
            </div>
            <div className="ml-auto flex flex-wrap justify-end gap-2">
              {entry.can.includes('publish-now') && (
                <PaidButton
                  look="quiet"
                  onPress={() => setAsking(true)}
                  pending={running?.action.name === 'publish-now'}
                  isDisabled={post === undefined || publishRefused !== null || running?.action.name === 'release'}
                  data-testid="button-publish-now"
                >
                  <Send aria-hidden />
                  {postWords.publishNow}
                </PaidButton>
              )}
              {entry.can.includes('release') && (
                <PaidButton
                  onPress={() => run(entry.id, release(entry), onClose)}
                  pending={running?.action.name === 'release'}
                  isDisabled={refused !== null || running?.action.name === 'publish-now'}
                  data-testid="button-release-post"
                >
                  {words.release}
                </PaidButton>
              )}
              {entry.can.includes('reschedule') && (
                <Move
                  look="primary"
                  onPress={() => onMove(entry, price)}
                  isDisabled={refused !== null}
                  data-testid="button-move-post"
                >
                  <CalendarClock aria-hidden />
                  {words.moveToDate}
                </Move>
              )}
            </div>
            {reason !== null && (
              <p className="basis-full text-right text-sm text-rejected-ink" data-testid="refused-reason">
                {reason}
              </p>
            )}
          </>
        }
      >
        <NewerLine
          what={newer === null ? null : changeWords(entry, newer, zone)}
          onShow={newer === null || newer === 'deleted' ? undefined : () => setAsked(newer)}
        />
        <dl className="mb-4 grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-2">
          <dt className="text-quiet">{words.platform}</dt>
          <dd>{platformLook[entry.platform].name}</dd>
          <dt className="text-quiet">{words.client}</dt>
          <dd dir="auto" className="min-w-0 text-left wrap-anywhere">
            {client?.name ?? ''}
          </dd>
          <dt className="text-quiet">{words.scheduled}</dt>
          <dd className="tabular">{formatDateTime(entry.scheduledFor, zone)}</dd>
          <dt className="text-quiet">{words.status}</dt>
          <dd>
            <StatusBadge status={entry.status} />
          </dd>
          {price !== undefined && (
            <>
              <dt className="self-start text-quiet">{words.price}</dt>
              <dd data-testid="post-price">{price}</dd>
            </>
          )}
        </dl>
        <div className="flex flex-col gap-4">
          <StepRail steps={(asked ?? entry).steps} />
          {trouble && (
            <DeliveryNote tone={trouble.tone} title={trouble.title}>
              {trouble.text !== '' && <p className="mt-0.5 wrap-anywhere">{trouble.text}</p>}
            </DeliveryNote>
          )}
          {error === null ? (
            <NetworkPreview
              platform={entry.platform}
              accountName={account?.accountName ?? client?.name ?? ''}
              content={text}
              imageUrl={post?.imageUrl ?? null}
            />
          ) : (
            <LoadError what={words.theText} error={error} onRetry={() => void whole.refetch()} />
          )}
          {post && <CommentsSection post={post} zone={zone} />}
        </div>
      </Dialog>
      {isAsking && post && (
        <PublishNow
          post={post}
          account={account?.accountName ?? platformLook[post.platform].name}
          refusal={overtakenReason(entry, newer)}
          onConfirm={() => {
            setAsking(false)
            run(post.id, publishNow(post.revision, setFound), onClose)
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

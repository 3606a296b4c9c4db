import { CalendarClock, Eye, Pencil } from 'lucide-react'
import type { PostCard as Card, SocialAccount } from '../../../api/contract/index.ts'
import { platformLook } from '../../lib/platforms.ts'
import { Button } from '../Button.tsx'
import { cardStyle } from '../Card.tsx'
import { PaidButton } from '../PaidButton.tsx'
import { PlatformIcon } from '../PlatformIcon.tsx'
import { DeliveryNote } from './DeliveryNote.tsx'
import { PostImage } from './PostImage.tsx'
import { PriceNote } from './PriceNote.tsx'
import { accountWords, deliveryWords, whenLine } from './status.ts'
import { StatusBadge } from './StatusBadge.tsx'
import { WholeText } from './WholeText.tsx'

interface Props {
  readonly post: Card
  readonly account: SocialAccount | undefined
  readonly zone: string
  readonly onPreview: () => void
  readonly onEdit: () => void
  readonly onSchedule: () => void
  readonly scheduling: boolean
  /** In a list that is worked through. */
  readonly queued?: {
    /** The one that is looked at. */
    readonly isCurrent: boolean
    readonly isChosen: boolean
    readonly onChoose: (on: boolean) => void
    /** Why the last act on it was refused. */
    readonly refusal: string | null
  }
}

export function PostCard({ post, account, zone, onPreview, onEdit, onSchedule, scheduling, queued }: Props) {
  const words = deliveryWords(post, zone) ?? accountWords(post, account, zone)
  return (
    <div
      data-testid="post-card"
      data-post-id={post.id}
      data-status={post.status}
      {...(queued && { tabIndex: -1 })}
      {...(queued?.isCurrent && { 'aria-current': true })}
      className={`${cardStyle} flex scroll-my-20 gap-4 p-5 outline-none ${queued?.isCurrent ? 'ring-2 ring-accent' : ''}`}
    >
      {queued && (
        <input
          type="checkbox"
          aria-label={`Select the post “${beginningOf(post.excerpt)}”`}
          checked={queued.isChosen}
          onChange={({ target }) => queued.onChoose(target.checked)}
          className="mt-1 size-5 shrink-0 accent-accent"
          data-testid="checkbox-post"
          {...(queued.isCurrent && { 'data-shortcut': 'x' })}
        />
      )}
      <article className="flex min-w-0 flex-1 flex-col gap-3">
        <header className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
          <span className="flex min-w-0 items-center gap-2 font-medium">
            <PlatformIcon platform={post.platform} />
            <span>{platformLook[post.platform].name}</span>
            {account && (
              <span className="truncate font-normal text-quiet" dir="auto">
                {account.accountName}
              </span>
            )}
          </span>
          <StatusBadge status={post.status} />
          <span className="tabular text-sm text-quiet">{whenLine(post, zone)}</span>
          {post.plan && (
            <span className="text-sm text-quiet" data-testid="from-schedule">
              From the posting schedule
            </span>
          )}
        </header>
        {queued && (queued.isCurrent || queued.isChosen) ? (
          <WholeText card={post} />
        ) : (
          <p data-testid="post-content" dir="auto" className="prose-post line-clamp-3 max-w-text text-lg/relaxed">
            {post.excerpt}
          </p>
        )}
        {queued && queued.refusal !== null && (
          <p
            role="alert"
            className="max-w-text rounded-control bg-rejected-soft px-3 py-2 text-sm wrap-anywhere text-rejected-ink"
          >
            {queued.refusal}
          </p>
        )}
        {post.status === 'rejected' && post.rejectionReason && (
          <p className="max-w-text rounded-control bg-rejected-soft px-3 py-2 text-sm wrap-anywhere text-rejected-ink">{`Rejected: ${post.rejectionReason}`}</p>
        )}
        {words && (
          <DeliveryNote tone={words.tone} title={words.title}>
            {(post.delivery === 'failed' || post.delivery === 'rejected') && (
              <p className="mt-0.5 line-clamp-2 wrap-anywhere">{words.text}</p>
            )}
          </DeliveryNote>
        )}
        <footer className="-ml-2 flex flex-wrap items-center gap-1 pt-1">
          <Button look="quiet" size="sm" onPress={onPreview} data-testid="button-preview">
            <Eye aria-hidden />
            Preview
          </Button>
          {post.can.includes('edit') && (
            <Button look="quiet" size="sm" onPress={onEdit} data-testid="button-edit">
              <Pencil aria-hidden />
              Edit
            </Button>
          )}
          {post.can.includes('schedule') && (
            <PaidButton look="quiet" size="sm" onPress={onSchedule} pending={scheduling} data-testid="button-schedule">
              <CalendarClock aria-hidden />
              Schedule
            </PaidButton>
          )}
          {post.can.includes('schedule') && post.platform === 'twitter' && !post.truncated && (
            <PriceNote platform={post.platform} content={post.excerpt} network={account?.network ?? null} />
          )}
        </footer>
      </article>
      {post.imageUrl !== null && (
        <PostImage src={post.imageUrl} className="hidden size-28 shrink-0 rounded-control sm:block" />
      )}
    </div>
  )
}

const shownCharacters = 40

function beginningOf(content: string): string {
  const letters = [...content]
  return letters.length <= shownCharacters ? content : `${letters.slice(0, shownCharacters).join('')}…`
}

import { CalendarClock, CalendarSync, Check, Eye, Pencil, X } from 'lucide-react'
import { useRef } from 'react'
import type { Client, PostCard as Card, SocialAccount } from '../../../api/contract/index.ts'
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
  /** Undefined in a list of one client. */
  readonly client: Client | undefined
  readonly account: SocialAccount | undefined
  readonly zone: string
  readonly onPreview: () => void
  readonly onEdit: () => void
  readonly onSchedule: () => void
  /** @param isWhole whether all of the text is on the card */
  readonly onApprove: (isWhole: boolean) => void
  readonly onReject: () => void
  /** The action that is under way. */
  readonly running: string | null
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

/** Beside each other where the list is wide: the facts, three lines of text, the image and the buttons. */
const layout =
  'grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-2 @[56rem]:grid-cols-[14rem_minmax(0,1fr)_auto_auto] @[56rem]:items-start @[56rem]:gap-y-0'

export function PostCard({ post, client, account, zone, queued, ...on }: Props) {
  const text = useRef<HTMLParagraphElement>(null)
  const words = deliveryWords(post, zone) ?? accountWords(post, account, zone)
  const isRead = queued !== undefined && (queued.isCurrent || queued.isChosen)
  const isWhole = () => isRead || !isClipped(text.current)
  return (
    <div
      data-testid="post-card"
      data-post-id={post.id}
      data-status={post.status}
      {...(queued && { tabIndex: -1 })}
      {...(queued?.isCurrent && { 'aria-current': true })}
      className={`${cardStyle} flex scroll-my-20 gap-3 px-4 py-1.5 outline-none @max-[56rem]:py-3 ${queued?.isCurrent ? 'ring-2 ring-accent' : ''}`}
    >
      {queued && (
        <input
          type="checkbox"
          aria-label={`Select the post “${beginningOf(post.excerpt)}”`}
          checked={queued.isChosen}
          onChange={({ target }) => queued.onChoose(target.checked)}
          className="mt-0.5 size-5 shrink-0 accent-accent"
          data-testid="checkbox-post"
          {...(queued.isCurrent && { 'data-shortcut': 'x' })}
        />
      )}
      <article className={`${layout} min-w-0 flex-1`}>
        <header className="col-span-2 flex min-w-0 flex-wrap items-center gap-x-3 gap-y-0.5 text-sm @[56rem]:col-span-1 @[56rem]:flex-col @[56rem]:flex-nowrap @[56rem]:items-start">
          {client && (
            <span className="flex max-w-full min-w-0 items-center gap-2 @[56rem]:w-full">
              <span className="flex min-w-0 flex-1 items-center gap-2 font-semibold" data-testid="post-client">
                <span className="size-2.5 shrink-0 rounded-full" style={{ backgroundColor: client.brandColor }} />
                <span className="truncate" dir="auto">
                  {client.name}
                </span>
              </span>
              <StatusBadge status={post.status} />
            </span>
          )}
          <span className="flex max-w-full min-w-0 items-center gap-2">
            <PlatformIcon platform={post.platform} />
            <span className="shrink-0 font-medium">{platformLook[post.platform].title}</span>
            {account && (
              <span className="truncate text-quiet" dir="auto">
                {account.accountName}
              </span>
            )}
          </span>
          {!client && <StatusBadge status={post.status} />}
          <span className="tabular flex max-w-full items-center gap-1.5 text-xs/4 text-quiet">
            <span>{whenLine(post, zone)}</span>
            {post.plan && (
              <span className="shrink-0" title="From the posting schedule" data-testid="from-schedule">
                <CalendarSync aria-hidden className="size-3.5" />
                <span className="sr-only">From the posting schedule</span>
              </span>
            )}
          </span>
        </header>
        <div className="flex min-w-0 flex-col gap-1.5">
          {isRead ? (
            <WholeText card={post} />
          ) : (
            <p
              ref={text}
              data-testid="post-content"
              dir="auto"
              className="prose-post line-clamp-3 max-w-text text-base/5"
            >
              {post.excerpt}
            </p>
          )}
          {queued && queued.refusal !== null && (
            <p
              role="alert"
              className="max-w-text rounded-control bg-rejected-soft px-3 py-1.5 text-sm wrap-anywhere text-rejected-ink"
            >
              {queued.refusal}
            </p>
          )}
          {post.status === 'rejected' && post.rejectionReason && (
            <p className="max-w-text rounded-control bg-rejected-soft px-3 py-1.5 text-sm wrap-anywhere text-rejected-ink">{`Rejected: ${post.rejectionReason}`}</p>
          )}
          {words && (
            <DeliveryNote tone={words.tone} title={words.title}>
              {(post.delivery === 'failed' || post.delivery === 'rejected') && (
                <p className="mt-0.5 line-clamp-2 wrap-anywhere">{words.text}</p>
              )}
            </DeliveryNote>
          )}
        </div>
        <div className="@[56rem]:w-15">
          {post.imageUrl !== null && <PostImage src={post.imageUrl} isSmall className="size-15 rounded-control" />}
        </div>
        <footer className="col-span-2 -ml-2 flex flex-wrap items-center gap-x-1 @[56rem]:col-span-1 @[56rem]:ml-0 @[56rem]:w-62 @[56rem]:justify-end">
          <Actions post={post} account={account} isWhole={isWhole} {...on} />
        </footer>
      </article>
    </div>
  )
}

interface ActionsProps extends Pick<
  Props,
  'post' | 'account' | 'onPreview' | 'onEdit' | 'onSchedule' | 'onApprove' | 'onReject' | 'running'
> {
  readonly isWhole: () => boolean
}

function Actions({ post, account, isWhole, running, ...on }: ActionsProps) {
  const can = (ability: Card['can'][number]) => post.can.includes(ability)
  const beginning = beginningOf(post.excerpt)
  return (
    <>
      <Button look="quiet" size="sm" className={narrow} onPress={on.onPreview} data-testid="button-preview">
        <Eye aria-hidden />
        Preview
      </Button>
      {can('edit') && (
        <Button look="quiet" size="sm" className={narrow} onPress={on.onEdit} data-testid="button-edit">
          <Pencil aria-hidden />
          Edit
        </Button>
      )}
      {can('schedule') && (
        <PaidButton
          look="quiet"
          size="sm"
          className={narrow}
          onPress={on.onSchedule}
          pending={running === 'schedule'}
          data-testid="button-schedule"
        >
          <CalendarClock aria-hidden />
          Schedule
        </PaidButton>
      )}
      {can('approve') && (
        <PaidButton
          look="quiet"
          size="sm"
          className={narrow}
          aria-label={`Approve “${beginning}”`}
          onPress={() => on.onApprove(isWhole())}
          pending={running === 'approve'}
          data-testid="button-approve-card"
        >
          <Check aria-hidden />
          Approve
        </PaidButton>
      )}
      {can('reject') && (
        <Button
          look="quiet"
          size="sm"
          className={narrow}
          aria-label={`Reject “${beginning}”`}
          onPress={on.onReject}
          pending={running === 'reject'}
          data-testid="button-reject-card"
        >
          <X aria-hidden />
          Reject
        </Button>
      )}
      {can('schedule') && post.platform === 'twitter' && !post.truncated && (
        <PriceNote platform={post.platform} content={post.excerpt} network={account?.network ?? null} />
      )}
    </>
  )
}

/** Three buttons have room beside the text. */
const narrow = 'px-2!'

/** Whether lines of the text are hidden. */
const isClipped = (text: HTMLElement | null): boolean => text !== null && text.scrollHeight > text.clientHeight + 1

const shownCharacters = 40

function beginningOf(content: string): string {
  const letters = [...content]
  return letters.length <= shownCharacters ? content : `${letters.slice(0, shownCharacters).join('')}…`
}

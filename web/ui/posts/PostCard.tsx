import { CalendarSync } from 'lucide-react'
import { useId, useRef } from 'react'
import type { Client, PostCard as Card, SocialAccount } from '../../../api/contract/index.ts'
import { platformLook } from '../../lib/platforms.ts'
import { cardStyle } from '../Card.tsx'
import { PlatformIcon } from '../PlatformIcon.tsx'
import { DeliveryNote } from './DeliveryNote.tsx'
import { beginningOf, PostCardActions, type CardActs } from './PostCardActions.tsx'
import { PostImage } from './PostImage.tsx'
import { accountWords, deliveryWords, whenLine } from './status.ts'
import { StatusBadge } from './StatusBadge.tsx'
import { StepRail } from './StepRail.tsx'
import { useSlotNote } from './use-slot-note.ts'
import { WholeText } from './WholeText.tsx'
import { words } from './words.ts'

interface Props extends CardActs {
  readonly post: Card
  /** Undefined in a list of one client. */
  readonly client: Client | undefined
  readonly account: SocialAccount | undefined
  readonly zone: string
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
  const state = deliveryWords(post, zone) ?? accountWords(post, account, zone)
  const slotNote = useSlotNote(post, zone, 'lapsed')
  const noteId = useId()
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
          aria-label={words.selectThe(beginningOf(post.excerpt))}
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
              <span className="shrink-0" title={words.fromSchedule} data-testid="from-schedule">
                <CalendarSync aria-hidden className="size-3.5" />
                <span className="sr-only">{words.fromSchedule}</span>
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
            <p className="max-w-text rounded-control bg-rejected-soft px-3 py-1.5 text-sm wrap-anywhere text-rejected-ink">
              {words.rejectedBecause(post.rejectionReason)}
            </p>
          )}
          {post.status === 'pending' && <StepRail steps={post.steps} />}
          {slotNote !== null && (
            <p id={noteId} className="text-sm text-pending-ink" data-testid="slot-note">
              {slotNote}
            </p>
          )}
          {state && (
            <DeliveryNote tone={state.tone} title={state.title}>
              {(post.delivery === 'failed' || post.delivery === 'rejected') && (
                <p className="mt-0.5 line-clamp-2 wrap-anywhere">{state.text}</p>
              )}
            </DeliveryNote>
          )}
        </div>
        <div className="@[56rem]:w-15">
          {post.imageUrl !== null && <PostImage src={post.imageUrl} isSmall className="size-15 rounded-control" />}
        </div>
        <footer className="col-span-2 -ml-2 flex flex-wrap items-center gap-x-1 @[56rem]:col-span-1 @[56rem]:ml-0 @[56rem]:w-80 @[56rem]:justify-end">
          <PostCardActions
            post={post}
            account={account}
            noteId={slotNote === null ? undefined : noteId}
            isWhole={isWhole}
            {...on}
          />
        </footer>
      </article>
    </div>
  )
}

/** Whether lines of the text are hidden. */
const isClipped = (text: HTMLElement | null): boolean => text !== null && text.scrollHeight > text.clientHeight + 1

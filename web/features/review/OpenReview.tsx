/** The posts of an open link, one after the other, and how far the reviewer has come. */
import { CircleCheck, Inbox } from 'lucide-react'
import { useState } from 'react'
import type { ReviewedPost } from '../../../api/contract/index.ts'
import { formatDate, zoneLabel } from '../../lib/dates.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PlainButton } from '../../ui/PlainButton.tsx'
import { ServerError } from '../../ui/ServerError.tsx'
import { isToJudge } from './card.ts'
import type { KnownPosts } from './known-posts.ts'
import { PostToReview } from './PostToReview.tsx'
import { UnlockByCode } from './Unlock.tsx'
import type { OpenReview as Review } from './use-review.ts'
import { words } from './words.ts'

interface Props {
  readonly token: string
  readonly review: Review
  readonly known: KnownPosts
  readonly onChanged: (post: ReviewedPost) => void
  /** Looks at the link again. */
  readonly onLook: () => void
  readonly more: More
}

interface More {
  readonly exists: boolean
  readonly isLoading: boolean
  readonly failed: string | null
  readonly load: () => void
}

export function OpenReview({ token, review, known, onChanged, onLook, more }: Props) {
  const { agency, clientName, timeZone, issuedBy, expiresAt, you, total, done, isPaused } = review
  const posts = [...known.values()]
  const isDone = total > 0 && done >= total
  const hasDecided = posts.some(({ post }) => post.verdict !== null)
  /** The next post to decide on, behind this one or from the top. */
  const nextOf = (at: number): string | null =>
    [...posts.slice(at + 1), ...posts.slice(0, at)].find(({ post }) => isToJudge(post))?.post.id ?? null
  return (
    <>
      <h1 dir="auto" className="text-2xl font-semibold tracking-tight wrap-anywhere max-sm:text-xl">
        {words.heading(clientName)}
      </h1>
      <p className="mt-1 wrap-anywhere text-quiet">{words.sentBy(issuedBy, formatDate(expiresAt, timeZone))}</p>
      <p className="mt-1 text-sm text-quiet">{words.zone(zoneLabel(timeZone))}</p>
      <WhoReviews token={token} review={review} onLook={onLook} />
      {isPaused && (
        <output className="mt-4 block rounded-card bg-pending-soft px-4 py-3 wrap-anywhere text-pending-ink">
          {words.paused(agency.name)}
        </output>
      )}
      {total === 0 ? (
        <div className="mt-6">
          <EmptyState icon={<Inbox />} title={words.none} text={words.noneText(agency.name)} />
        </div>
      ) : (
        <Progress done={done} total={total} />
      )}
      {isDone && (
        <section className="mb-4 flex gap-3 rounded-card bg-published-soft px-4 py-3 text-published-ink">
          <CircleCheck aria-hidden className="mt-0.5 size-5 shrink-0" />
          <div className="min-w-0">
            <h2 className="font-semibold">{hasDecided ? words.allDone : words.noneLeft}</h2>
            <p className="wrap-anywhere">{hasDecided ? words.allDoneText(agency.name) : words.noneLeftText}</p>
          </div>
        </section>
      )}
      <ol className="flex flex-col gap-6">
        {posts.map(({ post, before }, at) => (
          <li key={post.id}>
            <PostToReview
              token={token}
              post={post}
              before={before}
              position={at + 1}
              total={Math.max(total, posts.length)}
              zone={timeZone}
              agency={agency.name}
              asksName={you.name === null}
              nextId={nextOf(at)}
              onChanged={onChanged}
              onLook={onLook}
            />
          </li>
        ))}
      </ol>
      {more.exists && (
        <div className="mt-6 flex flex-col gap-3">
          <ServerError message={more.failed} />
          <PlainButton size="lg" wide pending={more.isLoading} onPress={more.load} data-testid="button-more-posts">
            {more.isLoading ? words.loadingMore : words.more}
          </PlainButton>
        </div>
      )}
    </>
  )
}

/** Stays in sight while the posts scroll. */
function Progress({ done, total }: { readonly done: number; readonly total: number }) {
  return (
    <div className="sticky top-0 z-10 -mx-4 mt-4 mb-4 border-b border-line bg-canvas px-4 py-2.5">
      <p aria-live="polite" className="tabular font-medium" data-testid="review-progress">
        {words.progress(done, total)}
      </p>
      <div aria-hidden className="mt-1.5 h-1.5 overflow-hidden rounded-full bg-n4">
        <div
          className="h-full origin-left rounded-full bg-accent transition-transform"
          style={{ transform: `scaleX(${total === 0 ? 0 : Math.min(1, done / total)})` }}
        />
      </div>
    </div>
  )
}

function WhoReviews({ token, review: { you, canVerify }, onLook }: Pick<Props, 'token' | 'review' | 'onLook'>) {
  const [isVerifying, setVerifying] = useState(false)
  if (you.name === null) return null
  if (you.verified === 'code')
    return <p className="mt-1 text-sm wrap-anywhere text-quiet">{words.verified(you.name)}</p>
  return (
    <div className="mt-1 text-sm text-quiet">
      <p className="flex flex-wrap items-center gap-x-3 wrap-anywhere">
        {words.named(you.name)}
        {canVerify && (
          <PlainButton
            look="link"
            size="inline"
            className="min-h-8 text-sm!"
            aria-expanded={isVerifying}
            onPress={() => setVerifying(!isVerifying)}
            data-testid="button-verify"
          >
            {words.verify}
          </PlainButton>
        )}
      </p>
      {isVerifying && (
        <div className="mt-2 max-w-form rounded-card border border-line bg-surface p-4">
          <UnlockByCode token={token} address={null} onOpen={onLook} />
        </div>
      )}
    </div>
  )
}

/** One post of a review: as its network shows it, what changed since it was seen, and the decision. */
import { ExternalLink } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { ReviewedPost } from '../../../api/contract/index.ts'
import { formatSoon } from '../../lib/dates.ts'
import { platformLook } from '../../lib/platforms.ts'
import { Badge, type BadgeTone } from '../../ui/Badge.tsx'
import { PlainButton } from '../../ui/PlainButton.tsx'
import { NetworkPreview } from '../../ui/posts/NetworkPreview.tsx'
import { CommentsOfPost } from './CommentsOfPost.tsx'
import { changesOf, headingOf, isJudged, type ReviewCard } from './card.ts'
import type { SeenVersion } from './known-posts.ts'
import { OwnReceipt } from './OwnReceipt.tsx'
import { PostActs } from './PostActs.tsx'
import { words } from './words.ts'

const TextDifference = lazy(() => import('../../ui/posts/TextDifference.tsx'))

export function PostToReview(props: ReviewCard) {
  const { post, before, position, total, zone } = props
  const { tone, label } = badgeOf(post)
  return (
    <article
      aria-labelledby={headingOf(post.id)}
      className="scroll-mt-20 overflow-hidden rounded-card border border-line bg-surface"
      data-testid="post-to-review"
      data-status={post.status}
    >
      <header className="flex items-start justify-between gap-3 px-4 py-3">
        <div className="min-w-0">
          <h2 id={headingOf(post.id)} tabIndex={-1} className="text-sm font-medium text-quiet outline-none">
            {words.post(position, total)}
          </h2>
          <p className="tabular font-medium">{whenOf(post, zone)}</p>
        </div>
        <Badge tone={tone}>{label}</Badge>
      </header>
      {before !== null && !isJudged(post) && <Changes post={post} before={before} />}
      <div className="px-4 pb-4">
        <NetworkPreview
          key={post.version}
          platform={post.platform}
          accountName={post.accountName}
          content={post.content}
          imageUrl={post.imageUrl}
        />
      </div>
      {post.url !== null && (
        <p className="px-4 pb-4">
          <a
            href={post.url}
            target="_blank"
            rel="noreferrer"
            className="inline-flex min-h-8 items-center gap-1.5 font-medium text-accent-ink underline underline-offset-4"
          >
            {words.onNetwork(platformLook[post.platform].title)}
            <ExternalLink aria-hidden className="size-4" />
          </a>
        </p>
      )}
      <PostActs {...props} />
      <OwnReceipt {...props} />
      {(post.can.includes('comment') || post.can.includes('suggest') || post.comments > 0) && (
        <CommentsOfPost {...props} />
      )}
    </article>
  )
}

function whenOf({ status, scheduledFor }: ReviewedPost, zone: string): string {
  if (scheduledFor === null) return status === 'published' ? words.published : words.noTime
  const time = formatSoon(scheduledFor, zone)
  if (status === 'published') return words.publishedOn(time)
  return status === 'approved' || status === 'scheduled' ? words.goesOut(time) : words.plannedFor(time)
}

function badgeOf(post: ReviewedPost): { readonly tone: BadgeTone; readonly label: string } {
  const { badge } = words
  if (post.held !== null) return { tone: 'unknown', label: badge.held }
  if (post.status === 'pending' && isJudged(post) && post.verdict?.verdict === 'approve')
    return { tone: 'approved', label: badge.done }
  return { tone: post.status, label: badge[post.status] }
}

interface ChangesProps {
  readonly post: ReviewedPost
  readonly before: SeenVersion
}

/** Said in words too: a struck-through text alone would not tell that the image is another one. */
function Changes({ post, before }: ChangesProps) {
  const [isShown, setShown] = useState(true)
  const isNewText = before.content !== post.content
  return (
    <section className="mx-4 mb-4 rounded-card bg-pending-soft px-4 py-3 text-pending-ink" data-testid="post-changes">
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <h3 id={changesOf(post.id)} tabIndex={-1} className="font-semibold outline-none">
          {words.changed}
        </h3>
        {isNewText && (
          <PlainButton
            look="link"
            size="inline"
            className="min-h-8 text-sm! text-pending-ink! underline"
            aria-expanded={isShown}
            onPress={() => setShown(!isShown)}
          >
            {isShown ? words.hideDifference : words.showDifference}
          </PlainButton>
        )}
      </div>
      {isNewText && isShown && (
        <>
          <p className="text-sm">{words.newText}</p>
          <Suspense fallback={<output className="block py-2 text-sm">{words.loadingDifference}</output>}>
            <div className="text-ink">
              <TextDifference before={before.content} after={post.content} />
            </div>
          </Suspense>
        </>
      )}
      {before.imageUrl !== post.imageUrl && <p className="mt-1">{imageWords(before.imageUrl, post.imageUrl)}</p>}
    </section>
  )
}

function imageWords(before: string | null, after: string | null): string {
  if (before === null) return words.imageAdded
  return after === null ? words.imageGone : words.newImage
}

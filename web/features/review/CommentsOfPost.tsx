/** What the agency and a client's people said about a post. It is asked for when it is opened. */
import { MessageCircle } from 'lucide-react'
import { Suspense, useId, useState } from 'react'
import { lazyPart } from '../../lib/lazy-part.tsx'
import { PlainButton } from '../../ui/PlainButton.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import type { ReviewCard } from './card.ts'
import { words } from './words.ts'

const ReviewComments = lazyPart(() => import('./ReviewComments.tsx'))

export function CommentsOfPost(card: ReviewCard) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const [wasOpened, setOpened] = useState(false)
  const [count, setCount] = useState<number | null>(null)
  return (
    <section className="border-t border-line px-4 py-2" data-testid="review-comments">
      <PlainButton
        look="link"
        size="inline"
        className="min-h-11"
        aria-expanded={isOpen}
        aria-controls={id}
        onPress={() => {
          setOpen(!isOpen)
          setOpened(true)
        }}
        data-testid="button-comments"
      >
        <MessageCircle aria-hidden />
        {words.comments(count)}
      </PlainButton>
      <div id={id} hidden={!isOpen} className="pb-2">
        {/* Stays, with what was typed. */}
        {wasOpened && (
          <Suspense fallback={<Skeleton className="h-24" />}>
            <ReviewComments {...card} onCount={setCount} />
          </Suspense>
        )}
      </div>
    </section>
  )
}

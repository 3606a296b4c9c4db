/** What the agency and a client's people said about a post, and the form to suggest a text: loaded when opened. */
import { MessageCircle, PenLine } from 'lucide-react'
import { Suspense, useId, useRef, useState } from 'react'
import { lazyPart } from '../../lib/lazy-part.tsx'
import { PlainButton } from '../../ui/PlainButton.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import type { ReviewCard } from './card.ts'
import { words } from './words.ts'

const ReviewComments = lazyPart(() => import('./ReviewComments.tsx'))
const SuggestChange = lazyPart(() => import('./SuggestChange.tsx'))

export function CommentsOfPost(card: ReviewCard) {
  const { post } = card
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const [wasOpened, setOpened] = useState(false)
  const [isSuggesting, setSuggesting] = useState(false)
  const toggle = useRef<HTMLButtonElement>(null)
  const open = (next: boolean) => {
    setOpen(next)
    setOpened(true)
  }
  const close = () => {
    setSuggesting(false)
    toggle.current?.focus()
  }
  return (
    <section className="border-t border-line px-4 py-2" data-testid="review-comments">
      <div className="flex flex-wrap items-center justify-between gap-x-6">
        <PlainButton
          ref={toggle}
          look="link"
          size="inline"
          className="min-h-11"
          aria-expanded={isOpen}
          aria-controls={id}
          onPress={() => open(!isOpen)}
          data-testid="button-comments"
        >
          <MessageCircle aria-hidden />
          {words.comments(post.comments)}
        </PlainButton>
        {(post.can.includes('suggest') || isSuggesting) && (
          <PlainButton
            look="link"
            size="inline"
            className="min-h-11"
            aria-expanded={isSuggesting}
            onPress={() => setSuggesting(!isSuggesting)}
            data-testid="button-suggest-change"
          >
            <PenLine aria-hidden />
            {words.suggest}
          </PlainButton>
        )}
      </div>
      {isSuggesting && (
        <Suspense fallback={<Skeleton className="h-24" />}>
          <SuggestChange
            {...card}
            onDone={(isSent) => {
              if (isSent) open(true)
              close()
            }}
          />
        </Suspense>
      )}
      <div id={id} hidden={!isOpen} className="pt-1 pb-2">
        {/* Stays, with what was typed. */}
        {wasOpened && (
          <Suspense fallback={<Skeleton className="h-24" />}>
            <ReviewComments {...card} isOpen={isOpen} />
          </Suspense>
        )}
      </div>
    </section>
  )
}

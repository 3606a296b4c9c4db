/** Leads the reviewer to the receipts of what they said about a post. */
import { FileCheck } from 'lucide-react'
import { Suspense, useState } from 'react'
import { lazyPart } from '../../lib/lazy-part.tsx'
import { PlainButton } from '../../ui/PlainButton.tsx'
import type { ReviewCard } from './card.ts'
import { words } from './words.ts'

const OwnReceipts = lazyPart(() => import('./OwnReceipts.tsx'))

export function OwnReceipt({ token, post, zone }: ReviewCard) {
  const [isOpen, setOpen] = useState(false)
  if (post.verdict === null) return null
  return (
    <div className="px-4 pb-2">
      <PlainButton
        look="link"
        size="inline"
        className="min-h-11"
        onPress={() => setOpen(true)}
        data-testid="button-own-receipt"
      >
        <FileCheck aria-hidden />
        {words.receipt}
      </PlainButton>
      {isOpen && (
        <Suspense fallback={<output className="sr-only">{words.loadingReceipt}</output>}>
          <OwnReceipts token={token} post={post} zone={zone} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  )
}

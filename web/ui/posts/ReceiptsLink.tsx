/** Opens the receipts of a post that the client's people judged; nothing for any other post. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { HistoryEntry } from '../../../api/contract/index.ts'
import { historyQuery } from '../../lib/queries.ts'
import { lazyDialog } from '../lazy-dialog.tsx'
import { PlainButton } from '../PlainButton.tsx'
import { receiptsQuery } from '../receipts/queries.ts'
import { words } from './history-panel-words.ts'

const PostReceipts = lazyDialog(() => import('./PostReceipts.tsx'))

interface Props {
  readonly postId: string
  readonly revision: number
  readonly zone: string
}

const verdicts: readonly string[] = ['PostSignedOff', 'PostReviewed', 'PostHeld']
const isVerdict = ({ actor, type }: HistoryEntry) => actor.type === 'reviewer' && verdicts.includes(type)

export function ReceiptsLink({ postId, revision, zone }: Props) {
  const [isOpen, setOpen] = useState(false)
  // As the timeline has loaded it.
  const history = useInfiniteQuery({ ...historyQuery(postId, revision), enabled: false })
  const isKnown = history.data?.pages.some(({ items }) => items.some(isVerdict)) ?? false
  // An earlier page, which is not loaded, may have one.
  const receipts = useQuery({ ...receiptsQuery(postId, revision), enabled: !isKnown && history.hasNextPage })
  if (!isKnown && !receipts.data?.length) return null
  return (
    <>
      <PlainButton
        look="link"
        size="inline"
        className="min-h-8 text-sm! underline"
        onPress={() => setOpen(true)}
        data-testid="button-receipts"
      >
        {words.receipts}
      </PlainButton>
      {isOpen && <PostReceipts postId={postId} revision={revision} zone={zone} onClose={() => setOpen(false)} />}
    </>
  )
}

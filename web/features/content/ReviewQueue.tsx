/** The posts that wait for a review: one after the other, or several at once, by mouse, finger or keyboard. */
import { useState } from 'react'
import { useMay } from '../../lib/use-agency.ts'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { PostList, type PostListProps } from '../../ui/posts/PostList.tsx'
import { ReviewBar } from './ReviewBar.tsx'
import { useReview } from './use-review.ts'

/** More posts are approved only after a look at those that can't go out. */
export const maxWithoutConfirming = 20

const ApproveManyDialog = lazyDialog(() => import('./ApproveManyDialog.tsx'))
const RejectDialog = lazyDialog(() => import('../../ui/posts/RejectDialog.tsx'))

const SendForReview = lazyDialog(() => import('../../ui/review/SendForReview.tsx'))

const approved = { status: 'approved' } as const

export function ReviewQueue({ posts, ...list }: Omit<PostListProps, 'queue'>) {
  const review = useReview(posts)
  const [rejecting, setRejecting] = useState(false)
  const [confirming, setConfirming] = useState(false)
  const [sending, setSending] = useState(false)
  const maySend = useMay('manager')
  // A link is of one client.
  const [clientId, ...others] = new Set((review.chosen.length > 0 ? review.chosen : posts).map((post) => post.clientId))
  const approve = () => (review.meant.length > maxWithoutConfirming ? setConfirming(true) : review.judge(approved))
  const queue = {
    currentId: review.currentId,
    isChosen: review.isChosen,
    onChoose: review.choose,
    refusalOf: (id: string) => review.refused.get(id) ?? null,
  }
  return (
    <>
      {posts.length > 0 && (
        <ReviewBar
          review={review}
          count={posts.length}
          onApprove={approve}
          onReject={() => setRejecting(true)}
          onSend={maySend && others.length === 0 ? () => setSending(true) : undefined}
        />
      )}
      <PostList {...list} posts={posts} queue={queue} />
      {confirming && (
        <ApproveManyDialog
          posts={review.meant}
          accounts={list.accounts}
          unread={review.unread()}
          pending={review.running !== null}
          onApprove={(blocked) => review.judge(approved, () => setConfirming(false), blocked)}
          onClose={() => setConfirming(false)}
        />
      )}
      {sending && clientId !== undefined && (
        <SendForReview
          clientId={clientId}
          postIds={review.chosen.map(({ id }) => id)}
          onClose={() => setSending(false)}
        />
      )}
      {rejecting && (
        <RejectDialog
          count={review.meant.length}
          pending={review.running !== null}
          onReject={(reason) => review.judge({ status: 'rejected', reason }, () => setRejecting(false))}
          onClose={() => setRejecting(false)}
        />
      )}
    </>
  )
}

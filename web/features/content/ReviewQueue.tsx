/** The posts that wait for a review: one after the other, or several at once, by mouse, finger or keyboard. */
import { useState } from 'react'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { PostList, type PostListProps } from '../../ui/posts/PostList.tsx'
import { ReviewBar } from './ReviewBar.tsx'
import { useReview } from './use-review.ts'

const RejectDialog = lazyDialog(() => import('../../ui/posts/RejectDialog.tsx'))

export function ReviewQueue({ posts, ...list }: Omit<PostListProps, 'queue'>) {
  const review = useReview(posts)
  const [rejecting, setRejecting] = useState(false)
  const queue = {
    currentId: review.currentId,
    isChosen: review.isChosen,
    onChoose: review.choose,
    refusalOf: (id: string) => review.refused.get(id) ?? null,
  }
  return (
    <>
      {posts.length > 0 && <ReviewBar review={review} count={posts.length} onReject={() => setRejecting(true)} />}
      <PostList {...list} posts={posts} queue={queue} />
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

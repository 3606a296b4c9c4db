/** The comments on a post. Loaded where a post is opened: lists don't show them. */
import { Suspense } from 'react'
import type { Post } from '../../../api/contract/index.ts'
import { lazyPart } from '../../lib/lazy-part.tsx'
import { Skeleton } from '../Skeleton.tsx'
import { words } from './words.ts'

const Comments = lazyPart(() => import('./Comments.tsx'))

interface Props {
  readonly post: Pick<Post, 'id' | 'clientId' | 'revision'>
  readonly zone: string
}

export const CommentsSection = ({ post, zone }: Props) => (
  <section aria-labelledby="comments-title" className="min-w-0" data-testid="comments">
    <h3 id="comments-title" className="mb-3 font-semibold">
      {words.comments}
    </h3>
    <Suspense fallback={<Skeleton className="h-24 w-full" />}>
      <Comments post={post} zone={zone} />
    </Suspense>
  </section>
)

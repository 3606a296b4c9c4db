import { useState, type ReactNode } from 'react'
import type { Client, PostCard as Card, SocialAccount } from '../../../api/contract/index.ts'
import { schedule, usePostAction } from '../../lib/post-actions.ts'
import { LongRow } from './LongRow.tsx'
import { PostCard } from './PostCard.tsx'
import { lazyDialog } from '../lazy-dialog.tsx'

const PreviewDialog = lazyDialog(() => import('./PreviewDialog.tsx'))
const EditDialog = lazyDialog(() => import('./EditDialog.tsx'))

/** Parts that a review adds to each card. */
interface Queue {
  /** The post that is looked at. */
  readonly currentId: string | null
  readonly isChosen: (postId: string) => boolean
  readonly onChoose: (postId: string, on: boolean) => void
  /** Why the last act on it was refused. */
  readonly refusalOf: (postId: string) => string | null
}

export interface PostListProps {
  readonly posts: readonly Card[]
  readonly client: Client | undefined
  readonly accounts: readonly SocialAccount[]
  readonly zone: string
  readonly empty: ReactNode
  readonly queue?: Queue
}

const queuedIn = (queue: Queue, id: string) => ({
  isCurrent: queue.currentId === id,
  isChosen: queue.isChosen(id),
  onChoose: (on: boolean) => queue.onChoose(id, on),
  refusal: queue.refusalOf(id),
})

/** Past this, only what is near the screen is a whole card: a page of hundreds answers slowly. */
const manyPosts = 100
/** The number of cards on a tall screen. */
const first = 10

interface Open {
  readonly opened: Card
  readonly as: 'preview' | 'edit'
}

export function PostList({ posts, client, accounts, zone, empty, queue }: PostListProps) {
  const [open, setOpen] = useState<Open | null>(null)
  const isLong = posts.length > manyPosts
  const { run, running } = usePostAction()
  const accountOf = (post: Card) => accounts.find(({ id }) => id === post.socialAccountId)
  const post = open && posts.find(({ id }) => id === open.opened.id)
  // Another tab may take the post out of this list: that must not close an open editor.
  const edited = open?.as === 'edit' ? (post ?? open.opened) : null
  const close = () => setOpen(null)
  const cardOf = (each: Card) => (
    <PostCard
      post={each}
      account={accountOf(each)}
      zone={zone}
      onPreview={() => setOpen({ opened: each, as: 'preview' })}
      onEdit={() => setOpen({ opened: each, as: 'edit' })}
      onSchedule={() => run(each.id, schedule)}
      scheduling={running?.id === each.id}
      {...(queue && { queued: queuedIn(queue, each.id) })}
    />
  )
  return (
    <>
      {posts.length === 0 ? (
        empty
      ) : (
        <ul className="flex flex-col gap-3">
          {posts.map((each, at) =>
            isLong ? (
              <LongRow key={each.id} post={each} position={at + 1} of={posts.length} isFirst={at < first}>
                {cardOf(each)}
              </LongRow>
            ) : (
              <li key={each.id} data-row={each.id} tabIndex={-1} className="rounded-card">
                {cardOf(each)}
              </li>
            ),
          )}
        </ul>
      )}
      {post && open.as === 'preview' && (
        <PreviewDialog card={post} account={accountOf(post)} zone={zone} onClose={close} />
      )}
      {edited && <EditDialog card={edited} client={client} account={accountOf(edited)} onClose={close} />}
    </>
  )
}

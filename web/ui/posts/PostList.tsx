import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { Client, PostCard as Card, SocialAccount } from '../../../api/contract/index.ts'
import { approve, reject, schedule, usePostAction } from '../../lib/post-actions.ts'
import { readRevision } from '../../lib/use-whole-post.ts'
import { LongRow } from './LongRow.tsx'
import { PostCard } from './PostCard.tsx'
import { lazyDialog } from '../lazy-dialog.tsx'

const PreviewDialog = lazyDialog(() => import('./PreviewDialog.tsx'))
const EditDialog = lazyDialog(() => import('./EditDialog.tsx'))
const RejectDialog = lazyDialog(() => import('./RejectDialog.tsx'))

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
  readonly clients: readonly Client[]
  /** Names each post's client on its card. */
  readonly namesClient?: boolean
  readonly accounts: readonly SocialAccount[]
  readonly zone: string
  readonly empty: ReactNode
  readonly queue?: Queue
  /** Where the address names the post whose preview is open. */
  readonly preview?:
    | {
        readonly card: Card | null
        readonly onOpen: (postId: string) => void
        readonly onClose: () => void
      }
    | undefined
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
const first = 15

interface Open {
  readonly opened: Card
  readonly as: 'preview' | 'edit' | 'reject'
}

export function PostList({
  posts,
  clients,
  namesClient = false,
  accounts,
  zone,
  empty,
  queue,
  preview: address,
}: PostListProps) {
  const [open, setOpen] = useState<Open | null>(null)
  const queryClient = useQueryClient()
  const isLong = posts.length > manyPosts
  const { run, running } = usePostAction()
  const accountOf = (post: Card) => accounts.find(({ id }) => id === post.socialAccountId)
  const clientOf = (post: Card) => clients.find(({ id }) => id === post.clientId)
  const present = (card: Card) => posts.find(({ id }) => id === card.id)
  const post = open && present(open.opened)
  // Another tab may take the post out of this list: that must not close an open editor.
  const edited = open?.as === 'edit' ? (post ?? open.opened) : null
  const close = () => setOpen(null)
  const inPreview = address
    ? address.card && { card: present(address.card) ?? address.card, onClose: address.onClose }
    : open?.as === 'preview' && post
      ? { card: post, onClose: close }
      : null
  const onPreview = (card: Card) => (address ? address.onOpen(card.id) : setOpen({ opened: card, as: 'preview' }))
  const onApprove = (card: Card, isWhole: boolean) => {
    const revision = isWhole ? readRevision(queryClient, card) : null
    // A text that is not whole on the card is read before its approval.
    if (revision === null) onPreview(card)
    else run(card.id, approve({ ...card, revision }))
  }
  const cardOf = (each: Card) => (
    <PostCard
      post={each}
      client={namesClient ? clientOf(each) : undefined}
      account={accountOf(each)}
      zone={zone}
      onPreview={() => onPreview(each)}
      onEdit={() => setOpen({ opened: each, as: 'edit' })}
      onSchedule={() => run(each.id, schedule)}
      onApprove={(isWhole) => onApprove(each, isWhole)}
      onReject={() => setOpen({ opened: each, as: 'reject' })}
      running={running?.id === each.id ? running.action.name : null}
      {...(queue && { queued: queuedIn(queue, each.id) })}
    />
  )
  return (
    <div className="@container">
      {posts.length === 0 ? (
        empty
      ) : (
        <ul className="flex flex-col gap-1">
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
      {inPreview && (
        <PreviewDialog
          key={inPreview.card.id}
          card={inPreview.card}
          account={accountOf(inPreview.card)}
          zone={zone}
          onClose={inPreview.onClose}
          // Its address goes with the link; without one, the preview would stay open over the composer.
          onDuplicate={address ? undefined : close}
        />
      )}
      {edited && <EditDialog card={edited} client={clientOf(edited)} account={accountOf(edited)} onClose={close} />}
      {open?.as === 'reject' && (
        <RejectDialog
          count={1}
          pending={false}
          onReject={(reason) => {
            run(open.opened.id, reject(reason))
            close()
          }}
          onClose={close}
        />
      )}
    </div>
  )
}

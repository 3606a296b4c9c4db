import { useState, type ReactNode } from 'react'
import type { Client, Post, SocialAccount } from '../../../api/contract/index.ts'
import { schedule, usePostAction } from '../../lib/post-actions.ts'
import { PostCard } from './PostCard.tsx'
import { later } from '../later.tsx'

const PreviewDialog = later(() => import('./PreviewDialog.tsx'))
const EditDialog = later(() => import('./EditDialog.tsx'))

interface Props {
  readonly posts: readonly Post[]
  readonly client: Client | undefined
  readonly accounts: readonly SocialAccount[]
  readonly zone: string
  readonly empty: ReactNode
}

// Past this, older cards are shown on request: a page of hundreds answers slowly.
const page = 50

interface Open {
  readonly opened: Post
  readonly as: 'preview' | 'edit'
}

export function PostList({ posts, client, accounts, zone, empty }: Props) {
  const [open, setOpen] = useState<Open | null>(null)
  const [shown, setShown] = useState(page)
  const { run, running } = usePostAction()
  const accountOf = (post: Post) => accounts.find(({ id }) => id === post.socialAccountId)
  const post = open && posts.find(({ id }) => id === open.opened.id)
  // What another tab did to a post may take it out of this list: that must not close what somebody writes.
  const edited = open?.as === 'edit' ? (post ?? open.opened) : null
  const close = () => setOpen(null)
  return (
    <>
      {posts.length === 0 ? (
        empty
      ) : (
        <ul className="flex flex-col gap-3">
          {posts.slice(0, shown).map((each) => (
            <PostCard
              key={each.id}
              post={each}
              account={accountOf(each)}
              zone={zone}
              onPreview={() => setOpen({ opened: each, as: 'preview' })}
              onEdit={() => setOpen({ opened: each, as: 'edit' })}
              onSchedule={() => run(each.id, schedule)}
              scheduling={running?.id === each.id}
            />
          ))}
        </ul>
      )}
      {posts.length > shown && (
        <button
          type="button"
          className="mt-4 w-full rounded-card border border-line py-2.5 font-medium text-accent-ink hover:bg-n3"
          onClick={() => setShown(shown + page)}
        >
          {`Show ${Math.min(page, posts.length - shown)} more of ${posts.length}`}
        </button>
      )}
      {post && open.as === 'preview' && <PreviewDialog post={post} account={accountOf(post)} zone={zone} onClose={close} />}
      {edited && <EditDialog post={edited} client={client} account={accountOf(edited)} onClose={close} />}
    </>
  )
}

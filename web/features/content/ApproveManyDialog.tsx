import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PostCard, SocialAccount } from '../../../api/contract/index.ts'
import { errorText } from '../../lib/error-text.ts'
import { refusalsOf } from '../../lib/review.ts'
import { postsWords } from '../../lib/words.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { words } from './words.ts'

interface Props {
  readonly posts: readonly PostCard[]
  readonly accounts: readonly SocialAccount[]
  /** Posts whose text was not read whole, with the reason. */
  readonly unread: ReadonlyMap<string, string>
  readonly pending: boolean
  /** @param blocked the posts to leave out */
  readonly onApprove: (blocked: ReadonlyMap<string, string>) => void
  readonly onClose: () => void
}

/** Says how many posts will be approved, and which ones can't go out. */
export default function ApproveManyDialog({ posts: asked, accounts, unread, pending, onApprove, onClose }: Props) {
  // The list changes while the posts are approved.
  const [posts] = useState(asked)
  const check = useQuery({
    queryKey: ['approvals', posts.map(({ id }) => id)],
    queryFn: () => refusalsOf(posts),
    gcTime: 0,
    staleTime: 0,
  })
  const [first] = useState(unread)
  const isDisconnected = (accountId: string) => accounts.some(({ id, isConnected }) => id === accountId && !isConnected)
  const blocked = new Map([...first, ...(check.data ?? [])])
  const stopped = posts.filter(({ id }) => blocked.has(id))
  const held = posts.filter(({ id, socialAccountId }) => !blocked.has(id) && isDisconnected(socialAccountId))
  const count = posts.length - stopped.length
  return (
    <Dialog
      open
      onClose={onClose}
      busy={pending}
      title={words.approveMany.title(postsWords(posts.length))}
      {...(check.isSuccess && { description: words.approveMany.text(count - held.length) })}
      footer={
        <>
          <Button onPress={onClose}>{words.approveMany.cancel}</Button>
          <Button
            look="primary"
            isDisabled={!check.isSuccess || count === 0}
            pending={pending}
            onPress={() => onApprove(blocked)}
            data-testid="button-approve-many"
          >
            {words.approveMany.action(postsWords(count))}
          </Button>
        </>
      }
    >
      {check.isPending && (
        <div className="grid h-24 place-items-center">
          <Spinner label={words.approveMany.checking} />
        </div>
      )}
      {check.isError && (
        <p role="alert" className="rounded-control bg-rejected-soft px-3 py-2 text-rejected-ink">
          {errorText(check.error)}
        </p>
      )}
      {check.isSuccess && (
        <div className="flex flex-col gap-4">
          <Named title={words.approveMany.stopped} posts={stopped} whyOf={({ id }) => blocked.get(id)} />
          <Named title={words.approveMany.held} posts={held} whyOf={() => words.approveMany.notConnected} />
        </div>
      )}
    </Dialog>
  )
}

interface NamedProps {
  readonly title: (posts: string) => string
  readonly posts: readonly PostCard[]
  readonly whyOf: (post: PostCard) => string | undefined
}

function Named({ title, posts, whyOf }: NamedProps) {
  const heading = title(postsWords(posts.length))
  if (posts.length === 0) return null
  return (
    <section aria-label={heading} {...{ tabIndex: 0 }} className="max-h-60 overflow-auto">
      <h3 className="font-medium">{heading}</h3>
      <ul className="mt-2 rounded-control border border-line">
        {posts.map((post) => (
          <li key={post.id} className="border-b border-line px-3 py-2 last:border-0" data-testid="blocked-post">
            <p dir="auto" className="truncate">
              {post.excerpt}
            </p>
            <p className="text-sm text-rejected-ink">{whyOf(post)}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}

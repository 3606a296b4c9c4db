import { useQuery } from '@tanstack/react-query'
import { FileText, FileUp, Plus } from 'lucide-react'
import { useState, type ComponentProps } from 'react'
import type { Client } from '../../../api/contract/index.ts'
import { accountsQuery } from '../../lib/queries.ts'
import { useBlocked, useZone } from '../../lib/use-agency.ts'
import { usePosts } from '../../lib/use-posts.ts'
import { postsWatched } from '../../lib/watched.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { LoadError } from '../../ui/LoadError.tsx'
import { PaidButton } from '../../ui/PaidButton.tsx'
import { ForRole } from '../../ui/ForRole.tsx'
import { MorePosts } from '../../ui/posts/MorePosts.tsx'
import { PostList } from '../../ui/posts/PostList.tsx'
import { RefreshButton } from '../../ui/RefreshButton.tsx'
import { SkeletonCards } from '../../ui/Skeleton.tsx'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { words } from './words.ts'

const ImportPosts = lazyDialog(() => import('./import/ImportPosts.tsx'))
const Composer = lazyDialog(() => import('./Composer.tsx'))
const CopyComposer = lazyDialog(() => import('./CopyComposer.tsx'))

interface Props {
  readonly client: Client
  readonly composing: boolean
  /** The day of the new post. */
  readonly on?: string | undefined
  /** The post that the new one starts as a copy of. */
  readonly from?: string | undefined
  readonly onCompose: (open: boolean) => void
}

export function Posts({ client, composing, on, from, onCompose }: Props) {
  const { list, posts, total } = usePosts(client.id)
  const accounts = useQuery(accountsQuery(client.id))
  const zone = useZone()
  const blocked = useBlocked()
  const [importing, setImporting] = useState(false)
  return (
    <section aria-label={words.posts}>
      <div className="mb-4 flex flex-wrap items-center justify-end gap-2">
        <RefreshButton
          busy={list.isFetching && !list.isFetchingNextPage}
          onRefresh={() => Promise.all([list.refetch(), accounts.refetch()])}
          watched={postsWatched(client.id)}
        />
        <ForRole least="writer">
          <PaidButton onPress={() => setImporting(true)} data-testid="button-import-posts">
            <FileUp aria-hidden />
            {words.importCsv}
          </PaidButton>
        </ForRole>
        <ForRole least="writer">
          <PaidButton look="primary" onPress={() => onCompose(true)} data-testid="button-new-post" data-shortcut="n">
            <Plus aria-hidden />
            {words.newPost}
          </PaidButton>
        </ForRole>
      </div>
      {list.isPending && (
        <SkeletonCards count={3} label={words.loadingPosts} className="flex flex-col gap-3" item="h-40" />
      )}
      {list.isError && !list.isFetchNextPageError && (
        <LoadError what={words.thePosts} error={list.error} onRetry={() => void list.refetch()} />
      )}
      {list.data && (
        <PostList
          posts={posts}
          clients={[client]}
          accounts={accounts.data ?? []}
          zone={zone}
          empty={<EmptyState icon={<FileText />} title={words.noPosts} text={words.noPostsText} />}
        />
      )}
      <MorePosts list={list} posts={posts} total={total} />
      {importing && <ImportPosts clientId={client.id} zone={zone} onClose={() => setImporting(false)} />}
      {composing && blocked === null && accounts.isSuccess && (
        <NewPost {...{ client, zone, on, from }} accounts={accounts.data} onClose={() => onCompose(false)} />
      )}
    </section>
  )
}

const NewPost = ({ from, ...props }: ComponentProps<typeof Composer> & { readonly from: string | undefined }) =>
  from === undefined ? <Composer {...props} /> : <CopyComposer key={from} {...props} from={from} />

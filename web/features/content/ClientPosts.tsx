import { useQuery } from '@tanstack/react-query'
import { Inbox, SearchX } from 'lucide-react'
import type { Client, PostCounts, PostStatus } from '../../../api/contract/index.ts'
import { platformLook } from '../../lib/platforms.ts'
import { accountsQuery, postCountsQuery, type PostFilter } from '../../lib/queries.ts'
import { usePosts } from '../../lib/use-posts.ts'
import { useZone } from '../../lib/use-agency.ts'
import { postsWatched } from '../../lib/watched.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { LoadError } from '../../ui/LoadError.tsx'
import { MorePosts } from '../../ui/posts/MorePosts.tsx'
import { PostList } from '../../ui/posts/PostList.tsx'
import { RefreshButton } from '../../ui/RefreshButton.tsx'
import { SkeletonCards } from '../../ui/Skeleton.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { PostSearch, type PostLimits } from './PostSearch.tsx'
import { ReviewQueue } from './ReviewQueue.tsx'
import { contentTabs, type ContentTab } from './search.ts'

interface Tab {
  readonly label: string
  readonly shows: readonly PostStatus[] | null
  readonly counted?: true
  readonly empty: string
}

const tabs: Readonly<Record<ContentTab, Tab>> = {
  all: { label: 'All Posts', shows: null, empty: 'Write the first one with New Post.' },
  pending: { label: 'Pending', shows: ['pending'], counted: true, empty: 'Nothing waits for a review.' },
  approved: {
    label: 'Approved',
    shows: ['approved', 'scheduled'],
    counted: true,
    empty: 'Approved and scheduled posts wait here for their time.',
  },
  published: { label: 'Published', shows: ['published'], empty: 'Posts that are live will be here.' },
  draft: { label: 'Drafts', shows: ['draft', 'rejected'], empty: 'Drafts and rejected posts will be here.' },
}

/** Posts that wait for a review are sorted by their time. */
const filterOf = (tab: Tab, { q, platform }: PostLimits): PostFilter => ({
  ...(tab.shows && { statuses: tab.shows }),
  ...(platform && { platform }),
  ...(q !== undefined && { q }),
  ...(tab === tabs.pending && { byPlan: true }),
})

const countOf = ({ shows }: Tab, { byStatus, total }: PostCounts) =>
  shows === null ? total : shows.reduce((sum, status) => sum + byStatus[status], 0)

interface Props {
  readonly client: Client
  readonly tab: ContentTab
  readonly onTab: (tab: ContentTab) => void
  readonly limits: PostLimits
  readonly onLimits: (limits: PostLimits) => void
}

export function ClientPosts({ client, tab, onTab, limits, onLimits }: Props) {
  const shown = tabs[tab]
  const filter = filterOf(shown, limits)
  const { list, posts, total } = usePosts(client.id, filter)
  const counts = useQuery(postCountsQuery(client.id))
  const accounts = useQuery(accountsQuery(client.id))
  const zone = useZone()
  const isLimited = limits.q !== undefined || limits.platform !== undefined
  const hasPosts = counts.data?.total !== 0 || posts.length > 0

  const content = () => {
    if (list.isPending)
      return <SkeletonCards count={3} label="Loading posts" className="flex flex-col gap-3" item="h-40" />
    if (list.isError && !list.isFetchNextPageError)
      return <LoadError what="The posts" error={list.error} onRetry={() => void list.refetch()} />
    const List = shown === tabs.pending ? ReviewQueue : PostList
    return (
      <div aria-busy={list.isPlaceholderData} className={list.isPlaceholderData ? 'opacity-60 transition-opacity' : ''}>
        <List
          posts={posts}
          client={client}
          accounts={accounts.data ?? []}
          zone={zone}
          empty={isLimited ? <NoMatch {...limits} /> : <NoPosts tab={shown} />}
        />
        <MorePosts list={list} posts={posts} total={total} />
      </div>
    )
  }
  return (
    <div className="@container relative">
      {/* Beside the tabs where both have room, whatever the sidebar leaves. */}
      <div className="flex justify-end @max-[46rem]:mb-2 @[46rem]:absolute @[46rem]:top-0.5 @[46rem]:right-0 @[46rem]:z-10">
        <RefreshButton
          busy={list.isFetching && !list.isFetchingNextPage}
          onRefresh={() => Promise.all([list.refetch(), counts.refetch(), accounts.refetch()])}
          watched={postsWatched(client.id, filter)}
        />
      </div>
      <Tabs
        label="Posts by state"
        value={tab}
        onChange={(id) => onTab(contentTabs.find((each) => each === id) ?? 'all')}
        tabs={contentTabs.map((id) => ({
          id,
          label: tabs[id].label,
          count: tabs[id].counted ? (counts.data ? countOf(tabs[id], counts.data) : 0) : undefined,
          content:
            id === tab ? (
              <>
                {hasPosts && <PostSearch limits={limits} onChange={onLimits} />}
                {content()}
              </>
            ) : null,
        }))}
      />
    </div>
  )
}

const NoPosts = ({ tab: { shows, empty } }: { readonly tab: Tab }) => (
  <EmptyState icon={<Inbox />} title={shows === null ? 'No posts yet' : 'No posts here'} text={empty} />
)

function NoMatch({ q, platform }: PostLimits) {
  const where = platform ? ` on ${platformLook[platform].name}` : ''
  return (
    <EmptyState
      icon={<SearchX />}
      title={q === undefined ? `No posts${where}` : `No posts match “${q}”${where}`}
      text={
        q === undefined
          ? 'Choose another network, or all of them.'
          : 'Each word must begin a word of the post. Try fewer words, or another tab.'
      }
    />
  )
}

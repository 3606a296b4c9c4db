import { useQuery } from '@tanstack/react-query'
import { Inbox } from 'lucide-react'
import type { Client, PostCard, PostStatus } from '../../../api/contract/index.ts'
import { accountsQuery, postsQuery } from '../../lib/queries.ts'
import { useZone } from '../../lib/use-agency.ts'
import { postsWatched } from '../../lib/watched.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { LoadError } from '../../ui/LoadError.tsx'
import { ListBound } from '../../ui/posts/ListBound.tsx'
import { PostList } from '../../ui/posts/PostList.tsx'
import { RefreshButton } from '../../ui/RefreshButton.tsx'
import { SkeletonCards } from '../../ui/Skeleton.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
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

const isShown = ({ shows }: Tab, { status }: PostCard) => shows === null || shows.includes(status)

/** Sorts posts that wait for a review by their time; posts without one follow in the order of writing. */
const inOrder = (tab: Tab, posts: readonly PostCard[]): readonly PostCard[] =>
  tab === tabs.pending
    ? posts.toSorted(
        (a, b) =>
          (a.scheduledFor ?? '9').localeCompare(b.scheduledFor ?? '9') || a.createdAt.localeCompare(b.createdAt),
      )
    : posts

interface Props {
  readonly client: Client
  readonly tab: ContentTab
  readonly onTab: (tab: ContentTab) => void
}

export function ClientPosts({ client, tab, onTab }: Props) {
  const posts = useQuery(postsQuery(client.id))
  const accounts = useQuery(accountsQuery(client.id))
  const zone = useZone()

  const contentOf = (shown: Tab) => {
    if (posts.isPending)
      return <SkeletonCards count={3} label="Loading posts" className="flex flex-col gap-3" item="h-40" />
    if (posts.isError) return <LoadError what="The posts" error={posts.error} onRetry={() => void posts.refetch()} />
    const List = shown === tabs.pending ? ReviewQueue : PostList
    return (
      <>
        <List
          posts={inOrder(
            shown,
            posts.data.filter((post) => isShown(shown, post)),
          )}
          client={client}
          accounts={accounts.data ?? []}
          zone={zone}
          empty={
            <EmptyState
              icon={<Inbox />}
              title={shown.shows === null ? 'No posts yet' : 'No posts here'}
              text={shown.empty}
            />
          }
        />
        <ListBound count={posts.data.length} />
      </>
    )
  }
  return (
    <div className="@container relative">
      {/* Beside the tabs where both have room, whatever the sidebar leaves. */}
      <div className="flex justify-end @max-[46rem]:mb-2 @[46rem]:absolute @[46rem]:top-0.5 @[46rem]:right-0 @[46rem]:z-10">
        <RefreshButton
          busy={posts.isFetching}
          onRefresh={() => Promise.all([posts.refetch(), accounts.refetch()])}
          watched={postsWatched(client.id)}
        />
      </div>
      <Tabs
        label="Posts by state"
        value={tab}
        onChange={(id) => onTab(contentTabs.find((each) => each === id) ?? 'all')}
        tabs={contentTabs.map((id) => ({
          id,
          label: tabs[id].label,
          count: tabs[id].counted ? (posts.data?.filter((post) => isShown(tabs[id], post)).length ?? 0) : undefined,
          content: id === tab ? contentOf(tabs[id]) : null,
        }))}
      />
    </div>
  )
}

/** The posts of a client, or of all clients, by tab. */
import { useQuery } from '@tanstack/react-query'
import { Inbox, SearchX } from 'lucide-react'
import type { Client } from '../../../api/contract/index.ts'
import { platformLook } from '../../lib/platforms.ts'
import { allClients } from '../../lib/all-clients.ts'
import { accountsIn, postCountsQuery } from '../../lib/queries.ts'
import { usePosts } from '../../lib/use-posts.ts'
import { useZone } from '../../lib/use-agency.ts'
import { postsWatched } from '../../lib/watched.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { LoadError } from '../../ui/LoadError.tsx'
import { MorePosts } from '../../ui/posts/MorePosts.tsx'
import { PostList, type PostListProps } from '../../ui/posts/PostList.tsx'
import { RefreshButton } from '../../ui/RefreshButton.tsx'
import { SkeletonCards } from '../../ui/Skeleton.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { countOf, filterOf, isLimited, tabs, type Tab } from './filter.ts'
import { PostFilters } from './PostFilters.tsx'
import { ReviewQueue } from './ReviewQueue.tsx'
import { contentTabs, type ContentTab, type PostLimits } from './search.ts'
import { words } from './words.ts'

interface Props {
  /** A client's id, or `allClients`. */
  readonly scope: string
  readonly clients: readonly Client[]
  readonly tab: ContentTab
  readonly onTab: (tab: ContentTab) => void
  readonly limits: PostLimits
  readonly onLimits: (limits: PostLimits) => void
  readonly preview: PostListProps['preview']
}

export function ClientPosts({ scope, clients, tab, onTab, limits, onLimits, preview }: Props) {
  const shown = tabs[tab]
  const zone = useZone()
  const filter = filterOf(shown, limits, zone)
  const { list, posts, total } = usePosts(scope, filter)
  const counts = useQuery(postCountsQuery(scope))
  const accounts = useQuery(accountsIn(scope))
  const hasPosts = counts.data?.total !== 0 || posts.length > 0

  const content = () => {
    if (list.isPending)
      return <SkeletonCards count={6} label={words.posts.loading} className="flex flex-col gap-1.5" item="h-20" />
    if (list.isError && !list.isFetchNextPageError)
      return <LoadError what={words.posts.failed} error={list.error} onRetry={() => void list.refetch()} />
    const List = shown === tabs.pending ? ReviewQueue : PostList
    return (
      <div aria-busy={list.isPlaceholderData} className={list.isPlaceholderData ? 'opacity-60 transition-opacity' : ''}>
        <List
          posts={posts}
          clients={clients}
          namesClient={scope === allClients}
          accounts={accounts.data ?? []}
          zone={zone}
          preview={preview}
          empty={
            isLimited(shown, limits) ? <NoMatch {...limits} /> : <NoPosts tab={shown} isOfAll={scope === allClients} />
          }
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
          watched={postsWatched(scope, filter)}
        />
      </div>
      <Tabs
        label={words.posts.tabs}
        value={tab}
        onChange={(id) => onTab(contentTabs.find((each) => each === id) ?? 'all')}
        tabs={contentTabs.map((id) => ({
          id,
          label: tabs[id].label,
          count: tabs[id].counted ? (counts.data ? countOf(tabs[id], counts.data) : 0) : undefined,
          content:
            id === tab ? (
              <>
                {hasPosts && <PostFilters tab={shown} limits={limits} onChange={onLimits} />}
                {content()}
              </>
            ) : null,
        }))}
      />
    </div>
  )
}

interface NoPostsProps {
  readonly tab: Tab
  readonly isOfAll: boolean
}

const NoPosts = ({ tab: { shows, empty }, isOfAll }: NoPostsProps) => (
  <EmptyState
    icon={<Inbox />}
    title={shows === null ? words.posts.none : words.posts.noneHere}
    text={shows === null && isOfAll ? words.posts.noneOfAll : empty}
  />
)

function NoMatch({ q, platform, ...further }: PostLimits) {
  const network = platform ? platformLook[platform].title : null
  const isFurther = [further.status, further.origin, further.assigned, further.waits, further.from, further.to].some(
    (limit) => limit !== undefined,
  )
  const advice = isFurther
    ? words.posts.changeFilters
    : q === undefined
      ? words.posts.chooseNetwork
      : words.posts.searchNote
  return (
    <EmptyState
      icon={<SearchX />}
      title={q === undefined ? words.posts.noneOn(network) : words.posts.noMatch(q, network)}
      text={advice}
    />
  )
}

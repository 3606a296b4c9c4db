/** Every post there was, at any instant; and of each, everything that happened. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { FileSearch } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import type { AuditPerson, AuditPost } from '../../../api/contract/index.ts'
import { lazyPart } from '../../lib/lazy-part.tsx'
import { platformLook } from '../../lib/platforms.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { LoadError } from '../../ui/LoadError.tsx'
import { SkeletonCards } from '../../ui/Skeleton.tsx'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { AsOf } from './AsOf.tsx'
import { AuditFilters } from './AuditFilters.tsx'
import { FoundPost } from './FoundPost.tsx'
import type { AuditSource, Filters } from './source.ts'
import { words } from './words.ts'

const AuditCalendar = lazyPart(() => import('./AuditCalendar.tsx'))
const PostReplay = lazyDialog(() => import('./PostReplay.tsx'))

interface Props {
  readonly source: AuditSource
  readonly clients: readonly { readonly id: string; readonly name: string }[]
  /** The people of the agency; none for an auditor. */
  readonly people?: readonly AuditPerson[]
  readonly choosesClient?: boolean
  readonly zone: string
  /** The earliest instant that can be chosen. */
  readonly since: string
  /** The one that is replayed. */
  readonly postId: string | null
  readonly onPost: (postId: string | null) => void
}

const everything: Filters = { text: '', client: null, status: null, person: null, from: '', to: '', asOf: null }

/** A post that isn't among the results is only called a post. */
const titleOf = (post: AuditPost | undefined) =>
  post ? words.postOf(platformLook[post.platform].name, post.clientName) : words.aPost

export function AuditTrail({
  source,
  clients,
  people = [],
  choosesClient = false,
  zone,
  since,
  postId,
  onPost,
}: Props) {
  const [filters, setFilters] = useState(everything)
  const [view, setView] = useState<'posts' | 'calendar'>('posts')
  const found = useInfiniteQuery({
    queryKey: [...source.key, 'posts', filters],
    queryFn: ({ pageParam }) => source.search(filters, zone, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
  })
  const posts = found.data?.pages.flatMap(({ items }) => items) ?? []
  // One answer searches a bounded number of posts; the next page continues the search.
  const isLookingOn = found.isSuccess && posts.length === 0 && found.hasNextPage
  const { fetchNextPage, isFetching } = found
  useEffect(() => {
    if (isLookingOn && !isFetching) void fetchNextPage()
  }, [isLookingOn, isFetching, fetchNextPage])
  const list = () => (
    <div className="flex flex-col gap-4">
      {(found.isPending || isLookingOn) && (
        <SkeletonCards count={4} label={words.loadingPosts} className="flex flex-col gap-2" item="h-20" />
      )}
      {found.isError && <LoadError what={words.thePosts} error={found.error} onRetry={() => void found.refetch()} />}
      {found.isSuccess && posts.length === 0 && !isLookingOn && (
        <EmptyState
          icon={<FileSearch />}
          title={words.nothingFound}
          text={filters.asOf === null ? words.noMatch : words.noMatchThen}
        />
      )}
      {posts.length > 0 && (
        <ul
          aria-label={words.posts}
          aria-busy={found.isPlaceholderData}
          className={`flex flex-col gap-2 transition-opacity ${found.isPlaceholderData ? 'opacity-60' : ''}`}
        >
          {posts.map((post) => (
            <FoundPost key={post.id} post={post} zone={zone} onOpen={() => onPost(post.id)} />
          ))}
        </ul>
      )}
      {found.hasNextPage && !isLookingOn && (
        <Button className="self-center" onPress={() => found.fetchNextPage()} pending={found.isFetchingNextPage}>
          {words.showMore}
        </Button>
      )}
    </div>
  )
  return (
    <div className="flex flex-col gap-4">
      <AuditFilters
        filters={filters}
        people={people}
        clients={clients}
        choosesClient={choosesClient}
        onChange={(part) => setFilters({ ...filters, ...part })}
        source={source}
        zone={zone}
      />
      <AsOf value={filters.asOf} since={since} zone={zone} onChange={(asOf) => setFilters({ ...filters, asOf })} />
      <Tabs
        label={words.shown}
        value={view}
        onChange={(id) => setView(id === 'calendar' ? 'calendar' : 'posts')}
        tabs={[
          { id: 'posts', label: words.posts, content: view === 'posts' ? list() : null },
          {
            id: 'calendar',
            label: words.calendar,
            content:
              view === 'calendar' ? (
                <Suspense
                  fallback={
                    <SkeletonCards
                      count={3}
                      label={words.loadingCalendar}
                      className="flex flex-col gap-2"
                      item="h-16"
                    />
                  }
                >
                  <AuditCalendar source={source} filters={filters} zone={zone} onOpen={onPost} />
                </Suspense>
              ) : null,
          },
        ]}
      />
      {postId !== null && (
        <PostReplay
          key={postId}
          postId={postId}
          title={titleOf(posts.find(({ id }) => id === postId))}
          source={source}
          zone={zone}
          asOf={filters.asOf}
          onClose={() => onPost(null)}
        />
      )}
    </div>
  )
}

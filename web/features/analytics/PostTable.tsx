/** Published posts with their metrics: sorted and paged by the server. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { addressOf } from '../../lib/call.ts'
import { analyticsPostsQuery, type AnalyticsPostsAsked } from '../../lib/analytics-queries.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { AnchorButton } from '../../ui/LinkButton.tsx'
import { LoadError } from '../../ui/LoadError.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { PostRow } from './PostRow.tsx'
import { columns } from './search.ts'
import { SortHeader } from './SortHeader.tsx'
import { words } from './words.ts'

interface Props {
  readonly asked: AnalyticsPostsAsked
  readonly zone: string
  readonly onSort: (sorted: Pick<AnalyticsPostsAsked, 'sort' | 'order'>) => void
}

export default function PostTable({ asked, zone, onSort }: Props) {
  const list = useInfiniteQuery(analyticsPostsQuery(asked))
  const posts = list.data?.pages.flatMap(({ items }) => items) ?? []
  const sort = asked.sort ?? 'published'
  const metric = sort === 'published' ? 'views' : sort
  const isPeriod = asked.from !== undefined
  return (
    <Card>
      <section aria-labelledby="analytics-posts" data-testid="analytics-posts">
        <div className="mb-4 flex flex-wrap items-start justify-between gap-3">
          <div>
            <h2 id="analytics-posts" className="text-lg font-semibold">
              {words.posts.title}
            </h2>
            <p className="text-sm text-quiet">{isPeriod ? words.posts.ofPeriod : words.posts.ofAll}</p>
          </div>
          {posts.length > 0 && (
            <AnchorButton
              look="quiet"
              size="sm"
              download
              href={addressOf('GET /api/analytics/export', { query: { of: 'posts', ...asked } })}
              data-testid="button-export-posts"
            >
              <Download aria-hidden />
              {words.download.posts}
            </AnchorButton>
          )}
        </div>
        {list.isPending && (
          <div className="flex flex-col gap-2">
            <output className="sr-only">{words.posts.loading}</output>
            {[0, 1, 2].map((index) => (
              <Skeleton key={index} className="h-12" />
            ))}
          </div>
        )}
        {list.isError && posts.length === 0 && (
          <LoadError what={words.posts.failed} error={list.error} onRetry={() => void list.refetch()} />
        )}
        {list.isSuccess && posts.length === 0 && (
          <p className="py-6 text-center text-quiet">{isPeriod ? words.posts.emptyPeriod : words.posts.empty}</p>
        )}
        {posts.length > 0 && (
          // Wider than its place, it scrolls; the keyboard can do that too.
          <section
            aria-label={words.posts.tableLabel}
            {...{ tabIndex: 0 }}
            className="relative -mx-5 overflow-x-auto px-5 sm:-mx-6 sm:px-6"
          >
            <table className="tabular w-full min-w-[52rem] max-sm:min-w-[44rem] text-left">
              <thead>
                <tr className="border-b border-line text-sm text-quiet">
                  <th scope="col" className="py-2 font-medium">
                    {words.posts.post}
                  </th>
                  {columns.map((column) => (
                    <SortHeader
                      key={column}
                      column={column}
                      sort={sort}
                      order={asked.order ?? 'desc'}
                      onSort={onSort}
                    />
                  ))}
                  <th scope="col" className="py-2 pl-4 font-medium">
                    {words.posts.trend(words.posts[metric])}
                  </th>
                </tr>
              </thead>
              <tbody>
                {posts.map((post) => (
                  <PostRow key={post.id} post={post} metric={metric} zone={zone} />
                ))}
              </tbody>
            </table>
          </section>
        )}
        {list.hasNextPage && (
          <div className="mt-4 flex justify-center">
            <Button
              onPress={() => void list.fetchNextPage()}
              pending={list.isFetchingNextPage}
              data-testid="button-more-posts"
            >
              {words.posts.more}
            </Button>
          </div>
        )}
      </section>
    </Card>
  )
}

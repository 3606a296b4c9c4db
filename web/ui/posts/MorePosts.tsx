/** The end of a list that is loaded in pages: how many posts are shown, and a button for more. */
import { useEffect, useRef } from 'react'
import { postsWords } from '../../lib/words.ts'
import type { usePosts } from '../../lib/use-posts.ts'
import { errorText } from '../../lib/error-text.ts'
import { Button } from '../Button.tsx'
import { words } from './words.ts'

type Props = Pick<ReturnType<typeof usePosts>, 'list' | 'posts' | 'total'>

export function MorePosts({ list, posts, total }: Props) {
  /** The post behind which the next page begins. */
  const lastBefore = useRef<string | null>(null)
  const last = posts.at(-1)?.id
  useEffect(() => {
    const before = lastBefore.current
    if (before === null || before === last) return
    lastBefore.current = null
    // The button moves down or goes, so the keyboard continues at the first new post.
    const next = posts[posts.findIndex(({ id }) => id === before) + 1]
    if (next) document.querySelector<HTMLElement>(`main [data-row="${next.id}"]`)?.focus({ preventScroll: true })
  }, [last, posts])
  if (list.data === undefined || (!list.hasNextPage && list.data.pages.length === 1)) return null
  return (
    <div className="mt-4 flex flex-col items-center gap-3" data-testid="more-posts">
      <output className="tabular text-sm text-quiet">
        {total === null || total <= posts.length
          ? words.shown(postsWords(posts.length))
          : words.shownOf(posts.length.toLocaleString('en-US'), postsWords(total))}
      </output>
      {list.isFetchNextPageError && !list.isFetchingNextPage && (
        <p role="alert" className="text-sm text-rejected-ink">
          {words.moreFailed(errorText(list.error))}
        </p>
      )}
      {list.hasNextPage && (
        <Button
          onPress={() => {
            lastBefore.current = last ?? null
            void list.fetchNextPage()
          }}
          pending={list.isFetchingNextPage}
          data-testid="button-more-posts"
        >
          {words.showMore}
        </Button>
      )}
    </div>
  )
}

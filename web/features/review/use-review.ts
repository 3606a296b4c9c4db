/** What a review link shows, kept up to date while the page is looked at. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ReviewedPost, ReviewSeen } from '../../../api/contract/index.ts'
import { call } from '../../lib/call.ts'
import { askedWith } from './kept-session.ts'
import { noPosts, withPosts, type KnownPosts } from './known-posts.ts'

/** Posts are published, and changed by the agency, while the page is open. */
const lookEveryMs = 60_000

type Open = Extract<ReviewSeen, { readonly state: 'open' }>
export type OpenReview = Omit<Open, 'posts' | 'next'>

const keyOf = (token: string) => ['review', token] as const
const isOpen = (page: ReviewSeen): page is Open => page.state === 'open'

/** The first pages, as many as are asked for. */
async function pagesOf(token: string, count: number): Promise<readonly ReviewSeen[]> {
  const pages: ReviewSeen[] = []
  let cursor: string | null = null
  do {
    const at: { readonly cursor?: string } = cursor === null ? {} : { cursor }
    const page: ReviewSeen = await call('POST /api/reviews/look', { body: { ...askedWith(token), ...at } })
    pages.push(page)
    cursor = isOpen(page) && pages.length < count ? page.next : null
  } while (cursor !== null)
  return pages
}

export type Reviewing = ReturnType<typeof useReview>

export function useReview(token: string) {
  const queries = useQueryClient()
  const pagesAsked = useRef(1)
  const [more, setMore] = useState({ isLoading: false, hasFailed: false })
  const look = useQuery({
    queryKey: keyOf(token),
    queryFn: () => pagesOf(token, pagesAsked.current),
    refetchInterval: lookEveryMs,
    refetchOnWindowFocus: 'always',
    gcTime: 0,
  })
  const pages = look.data
  const [shown, setShown] = useState<{ readonly pages: typeof pages; readonly known: KnownPosts }>({
    pages: undefined,
    known: noPosts,
  })
  if (pages !== undefined && pages !== shown.pages) {
    const open = pages.filter(isOpen)
    const posts = open.flatMap((page) => page.posts)
    setShown({ pages, known: withPosts(shown.known, posts, open.at(-1)?.total ?? Infinity) })
  }

  /** Shows the answer to an act at once; the counts come with the next look. */
  const put = (post: ReviewedPost) =>
    queries.setQueryData<readonly ReviewSeen[]>(keyOf(token), (before) =>
      before?.map((page) =>
        isOpen(page) ? { ...page, posts: page.posts.map((each) => (each.id === post.id ? post : each)) } : page,
      ),
    )
  async function loadMore(): Promise<void> {
    pagesAsked.current += 1
    setMore({ isLoading: true, hasFailed: false })
    const { isError } = await look.refetch()
    if (isError) pagesAsked.current -= 1
    setMore({ isLoading: false, hasFailed: isError })
  }
  const last = pages?.at(-1)
  return {
    look,
    seen: pages?.[0],
    known: shown.known,
    put,
    more: { ...more, exists: last !== undefined && isOpen(last) && last.next !== null, load: () => void loadMore() },
  }
}

interface Seen {
  readonly postId: string
  readonly version: number
}

/** Tells the server which versions were shown: after they were, and only while a person can see the page. */
export function useTellOpened(token: string, known: KnownPosts): void {
  const told = useRef(new Set<string>())
  const tell = useEffectEvent((posts: KnownPosts) => {
    if (document.visibilityState !== 'visible') return
    const asked = askedWith(token)
    // Told anew once the person has a name: what was shown before then was seen by a person unknown.
    const toldAs = ({ postId, version }: Seen) => `${asked.session ?? ''} ${postId} ${version}`
    const seen = [...posts.values()]
      .map(({ post: { id, version } }) => ({ postId: id, version }))
      .filter((each) => !told.current.has(toldAs(each)))
      .slice(0, maxTold)
    if (seen.length === 0) return
    for (const each of seen) told.current.add(toldAs(each))
    call('POST /api/reviews/opened', { body: { ...asked, seen } }).catch(() => {
      for (const each of seen) told.current.delete(toldAs(each))
    })
  })
  useEffect(() => {
    tell(known)
  }, [known])
  const onVisible = useEffectEvent(() => tell(known))
  useEffect(() => {
    const look = () => onVisible()
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
}

/** As many as the contract takes at once. */
const maxTold = 100

/** The lists that show posts, in the query cache: pages of a client's cards, and the calendar's tiles. */
import type { InfiniteData, QueryKey } from '@tanstack/react-query'
import type { CalendarDays, CalendarTile, PostCard } from '../../api/contract/index.ts'
import type { Page } from './pages.ts'
import { queryClient } from './query-client.ts'
import type { PostFilter } from './queries.ts'

/** `expectedBy` is there until the server's own answer takes its place. */
export type Item = (PostCard | CalendarTile) & { readonly expectedBy?: number }
type Tiles = Omit<CalendarDays, 'posts'> & { readonly posts: readonly Item[] }
type Listed = Tiles | InfiniteData<Page<readonly Item[]>>

export interface ShownItem {
  readonly key: QueryKey
  /** 0 for a list without pages. */
  readonly page: number
  readonly index: number
  readonly item: Item
}

const pagesOf = (list: Listed): readonly (readonly Item[])[] =>
  'pages' in list ? list.pages.map(({ items }) => items) : [list.posts]

const withPages = (list: Listed, change: (items: readonly Item[], page: number) => readonly Item[]): Listed =>
  'pages' in list
    ? { ...list, pages: list.pages.map((page, at) => ({ ...page, items: change(page.items, at) })) }
    : { ...list, posts: change(list.posts, 0) }

const all = () => [
  ...queryClient.getQueriesData<Listed>({ queryKey: ['posts'] }),
  ...queryClient.getQueriesData<Listed>({ queryKey: ['calendar'] }),
]

/** Each list that shows the post, and where. */
export const shownIn = (id: string): readonly ShownItem[] =>
  all().flatMap(([key, list]) =>
    (list ? pagesOf(list) : []).flatMap((items, page) => {
      const index = items.findIndex((item) => item.id === id)
      const item = items[index]
      return item ? [{ key, page, index, item }] : []
    }),
  )

/** The card of a post in a loaded list. */
export const shownCard = (id: string): PostCard | null =>
  shownIn(id)
    .map(({ item }) => item)
    .find((item): item is PostCard => 'revision' in item) ?? null

/** The statuses that a list is limited to; null for a list of all. */
function statusesOf([of, , filter]: QueryKey): readonly string[] | null {
  return of === 'posts' ? ((filter as PostFilter | undefined)?.statuses ?? null) : null
}

/** Whether a list shows an item of this status. */
const shows = (key: QueryKey, item: Item) => statusesOf(key)?.includes(item.status) ?? true

/** Changes one list's items with this id; null takes an item out, and so does a status that the list doesn't show. */
export function changeList(key: QueryKey, id: string, change: (item: Item) => Item | null): void {
  queryClient.setQueryData<Listed>(key, (list) =>
    list && pagesOf(list).some((items) => items.some((item) => item.id === id))
      ? withPages(list, (items) =>
          items.flatMap((item) => {
            if (item.id !== id) return [item]
            const changed = change(item)
            return changed !== null && shows(key, changed) ? [changed] : []
          }),
        )
      : list,
  )
}

/** The same in every list. */
export function changeLists(id: string, change: (item: Item) => Item | null): void {
  for (const { key } of shownIn(id)) changeList(key, id, change)
}

/** Puts an item back where it was, unless the list has it again. */
export function putBack({ key, page, index, item }: ShownItem): void {
  queryClient.setQueryData<Listed>(key, (list) =>
    !list || pagesOf(list).some((items) => items.some(({ id }) => id === item.id))
      ? list
      : withPages(list, (items, at) => (at === page ? items.toSpliced(index, 0, item) : items)),
  )
}

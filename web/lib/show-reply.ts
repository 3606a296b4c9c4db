/** Puts a command's reply where the post is shown: into its own query, and into its item of each list. */
import type { CalendarTile, Post, PostCard } from '../../api/contract/index.ts'
import { excerptOf } from '../../api/contract/excerpt.ts'
import { changeLists, shownIn, type Item } from './post-lists.ts'
import { queryClient } from './query-client.ts'
import { wholePostQuery } from './queries.ts'

export function showReply(post: Post): void {
  const { content, ...rest } = post
  const card: PostCard = { ...rest, ...excerptOf(content) }
  queryClient.setQueryData(wholePostQuery(post.id, post.revision).queryKey, post)
  changeLists(post.id, (item) => replaced(item, card))
}

/** Whether a list shows the post as held. A change then lowers the agency's count of held posts. */
export const isShownHeld = (id: string): boolean => shownIn(id).some(({ item }) => item.delivery === 'held')

/** A calendar's tile has some of a card's fields, a list's item has all of them. */
function replaced(item: Item, card: PostCard): Item {
  if ('revision' in item) return card
  const fields = Object.keys(item).filter((field) => field in card) as (keyof PostCard)[]
  return Object.fromEntries(fields.map((field) => [field, card[field]])) as unknown as CalendarTile
}

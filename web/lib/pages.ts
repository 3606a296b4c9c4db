/** Lists that the server answers page by page: `Link: …; rel="next"` leads from one to the next. */
import type { PostCard } from '../../api/contract/index.ts'
import { addressOf, follow, type Answer, type AnswerAs, type Args, type RouteKey, type ViewOf } from './call.ts'

/** So many items of a list that is read whole are read at most. */
const maxListed = 10_000

export interface Page<Items> {
  readonly items: Items
  /** The address of the page behind it; null on the last. */
  readonly next: string | null
  /** Items of the whole list; null where the server does not count them. */
  readonly total: number | null
}

/** Fetches one page. @param at the address that the page before named; null: the first page */
export async function page<K extends RouteKey>(key: K, at: string | null, ...sent: Args<K>): Promise<Page<Answer<K>>> {
  return pageAt<Answer<K>>(at ?? addressOf(key, ...sent))
}

/** The same, in another shape of the reply. @param sent with `view` in its query */
export async function pageAs<K extends RouteKey, V extends ViewOf<K>>(
  key: K,
  _view: V,
  at: string | null,
  signal: AbortSignal,
  ...sent: Args<K>
): Promise<Page<AnswerAs<K, V>>> {
  return pageAt<AnswerAs<K, V>>(at ?? addressOf(key, ...sent), signal)
}

/** A page of cards of posts. @param at the list's address with `view=card`, or the one that the page before named */
export const cardsAt = (at: string, signal: AbortSignal): Promise<Page<readonly PostCard[]>> => pageAt(at, signal)

/** All pages of a list, up to `maxListed` items. */
export const allPages = <K extends RouteKey>(key: K, signal: AbortSignal, ...sent: Args<K>): Promise<Answer<K>> =>
  allFrom<Answer<K>>(addressOf(key, ...sent), signal)

async function allFrom<Items>(address: string, signal: AbortSignal): Promise<Items> {
  const all: unknown[] = []
  for (let next: string | null = address; next !== null && all.length < maxListed;) {
    const read: Page<readonly unknown[]> = await pageAt(next, signal)
    all.push(...read.items)
    next = read.next
  }
  return all as Items
}

async function pageAt<Items>(address: string, signal?: AbortSignal): Promise<Page<Items>> {
  const response = await follow(address, signal)
  const total = response.headers.get('X-Total-Count')
  return {
    items: (await response.json()) as Items,
    next: nextOf(response.headers.get('Link') ?? ''),
    total: total === null ? null : Number(total),
  }
}

/** The address of the next page in a `Link` header (RFC 8288); null on the last page. */
function nextOf(link: string): string | null {
  const end = link.indexOf('>; rel="next"')
  return end < 0 ? null : link.slice(link.lastIndexOf('<', end) + 1, end)
}

/** Paging: every list that this server returns is limited in size, and links to its next page. */
import { yieldToEventLoop } from '../../domain/event-store/yield-to-event-loop.ts'
import { WrongCursor } from '../../projections/read-store/port.ts'
import type { Extras } from './handler.ts'
import { Problem } from './problem.ts'

export interface PageBounds {
  readonly items: number
  /** Of the body, as JSON. A single larger item is returned alone. */
  readonly bytes: number
  /** The limit on items examined, shown or not. */
  readonly looked: number
}

export const pageBounds: PageBounds = { items: 1_000, bytes: 2_000_000, looked: 2_000 }

/** The page yields to the event loop after this many bytes. */
export const bytesPerTurn = 250_000

const always = () => true

/** An item that may be shown, and the cursor after it. */
export interface Candidate<T> {
  readonly item: T
  readonly cursor: () => string
}

export interface ListPage<R> {
  readonly body: R[]
  readonly page: { readonly next: string | null }
}

/**
 * Takes candidates in order until the page is full. @param shape an item's reply; null omits it @param hasRoom false
 * when the page must end, because enough was read @throws Problem 400 for a cursor of another list
 */
export async function pageOf<T, R>(
  candidates: AsyncIterable<Candidate<T>>,
  shape: (item: T) => Promise<R | null> | R | null,
  bounds: PageBounds = pageBounds,
  hasRoom: () => boolean = always,
): Promise<ListPage<R>> {
  const body: R[] = []
  let bytes = 0
  let untilYield = bytesPerTurn
  let looked = 0
  let last: (() => string) | null = null
  try {
    for await (const { item, cursor } of candidates) {
      if (last !== null && (body.length >= bounds.items || looked >= bounds.looked || !hasRoom()))
        return { body, page: { next: last() } }
      const shown = await shape(item)
      const size = shown === null ? 0 : Buffer.byteLength(JSON.stringify(shown)) + 1
      if (last !== null && bytes + size > bounds.bytes) return { body, page: { next: last() } }
      if (shown !== null) body.push(shown)
      bytes += size
      looked += 1
      last = cursor
      untilYield -= size
      if (untilYield < 0) {
        untilYield = bytesPerTurn
        await yieldToEventLoop()
      }
    }
  } catch (error) {
    throw error instanceof WrongCursor ? wrongCursor() : error
  }
  return { body, page: { next: null } }
}

export const wrongCursor = () => new Problem(400, 'invalid', 'Cursor: Not from an earlier answer')

/** `Link` (RFC 8288) and `X-Total-Count`. @param url the request's URL, from its path on */
export function pageHeaders({ next, total }: NonNullable<Extras['page']>, url: string): [string, string][] {
  const address = new URL(url, 'http://localhost')
  if (next !== null) address.searchParams.set('cursor', next)
  return [
    ...(next === null ? [] : [['Link', `<${address.pathname}${address.search}>; rel="next"`] as [string, string]]),
    ...(total === undefined ? [] : [['X-Total-Count', String(total)] as [string, string]]),
  ]
}

/** Reads of one view, whichever collection is live. */
import type { Page, Where, Query, ReadStore } from '../read-store/port.ts'
import { weightOf } from './weight.ts'

export interface ViewReader<V> {
  get(id: string): Promise<V | null>
  /** At most one page (1,000 documents); `all` for everything. */
  find(query: Query): Promise<readonly V[]>
  /** The same, and where the next page begins. */
  page(query: Query): Promise<{ readonly items: readonly V[]; readonly next: string | null }>
  /**
   * Every match in order, each with the cursor behind it, for a caller that takes as many as it has room for. Read in
   * portions of about a million characters, whatever the documents weigh.
   * @throws WrongCursor when `cursor` is none of such a query
   */
  each(query: Omit<Query, 'limit'>): AsyncIterable<Listed<V>>
  /** Every match, page by page, at most `limit` documents (default 10,000). */
  all(query: Omit<Query, 'cursor' | 'limit'>, limit?: number): Promise<readonly V[]>
  count(where?: Where): Promise<number>
}

export interface Listed<V> {
  readonly item: V
  readonly cursor: () => string
}

/** Which collection a view's reads go to. */
export interface LiveCollections {
  /** @throws StoreUnavailable when the view has none yet */
  of(view: string): string
  /** Where others switch collections: looks again, after a read that failed. */
  readonly refresh?: (view: string) => Promise<void>
}

export function viewReader<V>(store: ReadStore, live: LiveCollections, view: string): ViewReader<V> {
  /** Reads again when the view was switched meanwhile: the collection that it was switched from may be gone. */
  async function read<T>(from: (collection: string) => Promise<T>): Promise<T> {
    for (;;) {
      const collection = live.of(view)
      try {
        const found = await from(collection)
        if (live.of(view) === collection) return found
      } catch (error) {
        await live.refresh?.(view)
        if (live.of(view) === collection) throw error
      }
    }
  }
  return {
    get: async (id) => (await read((collection) => store.get(collection, id))) as V | null,
    find: async (query) => (await read((collection) => store.find(collection, query))).items as readonly V[],
    page: async (query) => {
      const { items, next } = await read((collection) => store.find(collection, query))
      return { items: items as readonly V[], next }
    },
    each: (query) => eachOf<V>(query, (portion) => read((collection) => store.find(collection, portion))),
    all: (query, limit = 10_000) => read((collection) => allOf<V>(store, collection, query, limit)),
    count: (where) => read((collection) => store.count(collection, where)),
  }
}

async function allOf<V>(store: ReadStore, collection: string, query: Query, limit: number): Promise<readonly V[]> {
  const found: V[] = []
  let cursor: string | undefined
  do {
    const page = await store.find(collection, { ...query, ...(cursor === undefined ? {} : { cursor }) })
    found.push(...(page.items as readonly V[]))
    cursor = page.next ?? undefined
  } while (cursor !== undefined && found.length < limit)
  return found.slice(0, limit)
}

/** Of a first portion, when nothing is known of the documents' weight yet. */
const firstPortion = 16
const maxPortion = 500
const charactersAPortion = 1_000_000

async function* eachOf<V>(
  query: Omit<Query, 'limit'>,
  find: (query: Query) => Promise<Page>,
): AsyncGenerator<Listed<V>> {
  let portion: Query = { ...query, limit: firstPortion }
  for (;;) {
    const page = await find(portion)
    for (const [index, item] of page.items.entries()) yield { item: item as V, cursor: () => page.after(index) }
    if (page.next === null) return
    const heaviest = Math.max(...page.items.map(weightOf))
    const limit = Math.min(maxPortion, Math.max(1, Math.floor(charactersAPortion / heaviest)))
    // Documents may be heavier further on: a portion at most doubles.
    portion = { ...query, cursor: page.next, limit: Math.min(limit, (portion.limit ?? firstPortion) * 2) }
  }
}

/** Reads one view, from whichever collection is live. */
import type { Page, Where, Query, ReadStore } from '../read-store/port.ts'
import { weightOf } from './weight.ts'

export interface ViewReader<V> {
  get(id: string): Promise<V | null>
  /** At most one page (1,000 documents); use `all` for everything. */
  find(query: Query): Promise<readonly V[]>
  /** The same, with the cursor of the next page. */
  page(query: Query): Promise<{ readonly items: readonly V[]; readonly next: string | null }>
  /**
   * Every match in order, each with the cursor after it, for a caller with limited space. Read in batches of about a
   * million characters, however large the documents are.
   * @throws WrongCursor when `cursor` does not belong to this query
   */
  each(query: Omit<Query, 'limit'>): AsyncIterable<Listed<V>>
  /** All matches, read page by page, at most `limit` documents (default 10,000). */
  all(query: Omit<Query, 'cursor' | 'limit'>, limit?: number): Promise<readonly V[]>
  count(where?: Where): Promise<number>
}

export interface Listed<V> {
  readonly item: V
  readonly cursor: () => string
}

/** Resolves a view's live collection. */
export interface LiveCollections {
  /** @throws StoreUnavailable when the view has none yet */
  of(view: string): string
  /** Called after a failed read if other processes may switch collections: looks the live one up again. */
  readonly refresh?: (view: string) => Promise<void>
}

export function viewReader<V>(store: ReadStore, live: LiveCollections, view: string): ViewReader<V> {
  /** Repeats the read when the view was switched meanwhile: the previous collection may be gone. */
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
    each: (query) => eachOf<V>(query, (batch) => read((collection) => store.find(collection, batch))),
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

/** Size of the first batch, before any document's weight is known. */
const firstBatchSize = 16
const maxBatchSize = 500
const maxBatchCharacters = 1_000_000

async function* eachOf<V>(
  query: Omit<Query, 'limit'>,
  find: (query: Query) => Promise<Page>,
): AsyncGenerator<Listed<V>> {
  let batch: Query = { ...query, limit: firstBatchSize }
  for (;;) {
    const page = await find(batch)
    for (const [index, item] of page.items.entries()) yield { item: item as V, cursor: () => page.after(index) }
    if (page.next === null) return
    const heaviest = Math.max(...page.items.map(weightOf))
    const limit = Math.min(maxBatchSize, Math.max(1, Math.floor(maxBatchCharacters / heaviest)))
    // Later documents may be larger, so a batch at most doubles.
    batch = { ...query, cursor: page.next, limit: Math.min(limit, (batch.limit ?? firstBatchSize) * 2) }
  }
}

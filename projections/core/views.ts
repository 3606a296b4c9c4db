/** Reads of one view, whichever collection is live. */
import type { Where, Query, ReadStore } from '../read-store/port.ts'

export interface ViewReader<V> {
  get(id: string): Promise<V | null>
  /** At most one page (1,000 documents); `all` for everything. */
  find(query: Query): Promise<readonly V[]>
  /** The same, and where the next page begins. */
  page(query: Query): Promise<{ readonly items: readonly V[]; readonly next: string | null }>
  /** Every match, page by page, at most `limit` documents (default 10,000). */
  all(query: Omit<Query, 'cursor' | 'limit'>, limit?: number): Promise<readonly V[]>
  count(where?: Where): Promise<number>
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

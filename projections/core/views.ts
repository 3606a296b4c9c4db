/** Reads of one view, whichever collection is live. */
import type { Where, Query, ReadStore } from '../read-store/port.ts'

export interface ViewReader<V> {
  get(id: string): Promise<V | null>
  /** At most one page (1,000 documents); `all` for everything. */
  find(query: Query): Promise<readonly V[]>
  /** Every match, page by page, at most `limit` documents (default 10,000). */
  all(query: Omit<Query, 'cursor' | 'limit'>, limit?: number): Promise<readonly V[]>
  count(where?: Where): Promise<number>
}

/** Which collection a view's reads go to. */
export interface LiveCollections {
  /** @throws Error when the view has none yet */
  of(view: string): string
}

export function viewReader<V>(store: ReadStore, live: LiveCollections, view: string): ViewReader<V> {
  const find = async (query: Query) => (await store.find(live.of(view), query)).items as readonly V[]
  return {
    get: async (id) => (await store.get(live.of(view), id)) as V | null,
    find,
    async all(query, limit = 10_000) {
      const found: V[] = []
      let cursor: string | undefined
      const collection = live.of(view)
      do {
        const page = await store.find(collection, { ...query, ...(cursor === undefined ? {} : { cursor }) })
        found.push(...(page.items as readonly V[]))
        cursor = page.next ?? undefined
      } while (cursor !== undefined && found.length < limit)
      return found
    },
    count: (where) => store.count(live.of(view), where),
  }
}

/** Reads one view, from whichever collection is live. */
import type { Document, Page, Where, Query, ReadStore } from '../read-store/port.ts'
import { BeingBuilt } from '../../domain/event-store/port.ts'
import { canServe, converterFor, type Served } from './serving.ts'
import { weightOf } from './weight.ts'

export interface ViewReader<V> {
  get(id: string): Promise<V | null>
  /** Documents by id, in one request; unknown ids are absent. */
  getMany(ids: readonly string[]): Promise<ReadonlyMap<string, V>>
  /** At most one page (1,000 documents); use `all` for everything. */
  find(query: Query): Promise<readonly V[]>
  /** The same, with the cursor of the next page. */
  page(query: Query): Promise<{ readonly items: readonly V[]; readonly next: string | null }>
  /**
   * Every match in order, each with the cursor after it, for a caller with limited space. Read in batches of about a
   * million characters, however large the documents are.
   * @param first documents of the first batch, where the caller knows how many it needs of which size (at most 500)
   * @throws WrongCursor when `cursor` does not belong to this query
   */
  each(query: Omit<Query, 'limit'>, first?: number): AsyncIterable<Listed<V>>
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
  /** Its own, or a predecessor's. @throws BeingBuilt when the view has none yet */
  of(view: string): string
  /** Called after a failed read if other processes may switch collections: looks the live one up again. */
  readonly refresh?: (view: string) => Promise<void>
}

export function viewReader<V>(store: ReadStore, live: LiveCollections, projection: Served<V>): ViewReader<V> {
  const view = projection.name
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
  function mustServe(collection: string, query: Query): void {
    if (!canServe(projection, collection, query)) throw new BeingBuilt(`An index of ${view} is being built`)
  }
  const pageOf = (query: Query) =>
    read(async (collection): Promise<PageOf<V>> => {
      mustServe(collection, query)
      const page = await store.find(collection, query)
      const convert = converterFor(projection, collection)
      return { ...page, heaviest: () => Math.max(1, ...page.items.map(weightOf)), items: page.items.map(convert) }
    })
  return {
    get: (id) =>
      read(async (collection) => {
        const document = await store.get(collection, id)
        return document && converterFor(projection, collection)(document)
      }),
    getMany: (ids) =>
      read(async (collection) => {
        const convert = converterFor(projection, collection)
        const kept = await store.getMany(collection, ids)
        return new Map([...kept].flatMap(([id, { doc }]) => (doc === null ? [] : [[id, convert(doc)]])))
      }),
    find: async (query) => (await pageOf(query)).items,
    page: async (query) => {
      const { items, next } = await pageOf(query)
      return { items, next }
    },
    each: (query, first) => eachOf(query, pageOf, first),
    all: (query, limit = 10_000) =>
      read(async (collection) =>
        (await allOf(store, collection, query, limit)).map(converterFor(projection, collection)),
      ),
    count: (where) =>
      read((collection) => {
        mustServe(collection, { ...(where && { where }) })
        return store.count(collection, where)
      }),
  }
}

interface PageOf<V> extends Omit<Page, 'items'> {
  readonly items: readonly V[]
  /** The largest stored document, in characters. */
  readonly heaviest: () => number
}

async function allOf(store: ReadStore, collection: string, query: Query, limit: number): Promise<readonly Document[]> {
  const found: Document[] = []
  let cursor: string | undefined
  do {
    const page = await store.find(collection, { ...query, ...(cursor === undefined ? {} : { cursor }) })
    found.push(...page.items)
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
  find: (query: Query) => Promise<PageOf<V>>,
  first: number = firstBatchSize,
): AsyncGenerator<Listed<V>> {
  let batch: Query = { ...query, limit: Math.min(first, maxBatchSize) }
  for (;;) {
    const page = await find(batch)
    for (const [index, item] of page.items.entries()) yield { item, cursor: () => page.after(index) }
    if (page.next === null) return
    const limit = Math.min(maxBatchSize, Math.max(1, Math.floor(maxBatchCharacters / page.heaviest())))
    // Later documents may be larger, so a batch at most doubles.
    batch = { ...query, cursor: page.next, limit: Math.min(limit, (batch.limit ?? firstBatchSize) * 2) }
  }
}

/** A cache of recent pages and counts until their collection changes: most reads happen between two changes. */
import type { Page, Query, Where } from './port.ts'

const maxPages = 1_000
/** Limit for all pages of a collection, as JSON. */
const maxCharacters = 4_000_000
/** Longer pages are not worth their memory. */
const maxItems = 100
const maxPageCharacters = 100_000

export interface Found {
  readonly page: Page
  /** The page's length as JSON. */
  readonly characters: number
}

class Kept {
  readonly pages = new Map<string, Page>()
  readonly counts = new Map<string, number>()
  characters = 0
}

/** Keeps at most 1,000 pages, 1,000 counts and 4 million characters of each collection, for any queries. */
export class Answers {
  readonly #kept = new Map<string, Kept>()

  /** The page for this query: cached, or found with `search`. Pages are shared: callers must not modify them. */
  of(collection: string, query: Query, search: () => Found): Page {
    const key = JSON.stringify(query)
    const known = this.#kept.get(collection)?.pages.get(key)
    return known ?? this.#keep(collection, key, search())
  }

  /** The same for a search in several stretches. It is not cached if the collection changes meanwhile. */
  async ofLong(collection: string, query: Query, search: () => Promise<Found>): Promise<Page> {
    const key = JSON.stringify(query)
    let kept = this.#kept.get(collection)
    const known = kept?.pages.get(key)
    if (known) return known
    if (!kept) this.#kept.set(collection, (kept = new Kept()))
    const found = await search()
    return this.#kept.get(collection) === kept ? this.#keep(collection, key, found) : found.page
  }

  #keep(collection: string, key: string, { page, characters }: Found): Page {
    if (page.items.length > maxItems || characters > maxPageCharacters) return page
    let kept = this.#kept.get(collection)
    if (!kept || kept.pages.size >= maxPages || kept.characters + characters > maxCharacters)
      this.#kept.set(collection, (kept = new Kept()))
    kept.pages.set(key, page)
    kept.characters += characters
    return page
  }

  /** The count for these conditions: cached, or found with `search`. */
  count(collection: string, where: Where, search: () => number): number {
    const key = JSON.stringify(where)
    let kept = this.#kept.get(collection)
    const known = kept?.counts.get(key)
    if (known !== undefined) return known
    const found = search()
    if (!kept || kept.counts.size >= maxPages) this.#kept.set(collection, (kept = new Kept()))
    kept.counts.set(key, found)
    return found
  }

  forget(collection: string): void {
    this.#kept.delete(collection)
  }

  /** The number of cached characters, for tests and for an operator. */
  get characters(): number {
    return [...this.#kept.values()].reduce((sum, { characters }) => sum + characters, 0)
  }
}

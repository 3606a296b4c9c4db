/** A cache of recent pages until their collection changes: most reads happen between two changes. */
import type { Page, Query } from './port.ts'

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
  characters = 0
}

/** Keeps at most 1,000 pages and 4 million characters of each collection, for any queries. */
export class Answers {
  readonly #kept = new Map<string, Kept>()

  /** The page for this query: cached, or found with `search`. Pages are shared: callers must not modify them. */
  of(collection: string, query: Query, search: () => Found): Page {
    const key = JSON.stringify(query)
    let kept = this.#kept.get(collection)
    const known = kept?.pages.get(key)
    if (known) return known
    const { page, characters } = search()
    if (page.items.length > maxItems || characters > maxPageCharacters) return page
    if (!kept || kept.pages.size >= maxPages || kept.characters + characters > maxCharacters)
      this.#kept.set(collection, (kept = new Kept()))
    kept.pages.set(key, page)
    kept.characters += characters
    return page
  }

  forget(collection: string): void {
    this.#kept.delete(collection)
  }

  /** The number of cached characters, for tests and for an operator. */
  get characters(): number {
    return [...this.#kept.values()].reduce((sum, { characters }) => sum + characters, 0)
  }
}

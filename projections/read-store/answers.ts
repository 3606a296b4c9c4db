/** Pages that were found lately, until their collection changes: most reads come between two changes. */
import type { Page, Query } from './port.ts'

const pagesACollection = 1_000
/** Longer pages are not worth their memory. */
const longestPage = 100

export class Answers {
  readonly #pages = new Map<string, Map<string, Page>>()

  /** The page for this query, found with `search` when it isn't known. Pages are shared: nobody may change them. */
  of(collection: string, query: Query, search: () => Page): Page {
    const key = JSON.stringify(query)
    let known = this.#pages.get(collection)
    const page = known?.get(key)
    if (page) return page
    const found = search()
    if (found.items.length > longestPage) return found
    if (!known || known.size >= pagesACollection) this.#pages.set(collection, (known = new Map()))
    known.set(key, found)
    return found
  }

  forget(collection: string): void {
    this.#pages.delete(collection)
  }
}

/** Finds documents in an SQLite table: by their fields, or by their words too. */
import type { SqliteFile } from '../../domain/event-store/sqlite.ts'
import { yieldToEventLoop } from '../../domain/event-store/yield-to-event-loop.ts'
import type { Found } from './answers.ts'
import { fromCursor, toCursor } from './cursor.ts'
import type { Document, Page, Query } from './port.ts'
import { expression, maxDocuments, pages, type Mark, type Source, type Sql } from './sql.ts'
import { matching } from './sql-words.ts'

/** Up to so many hits of a search are fetched and sorted; with more, the documents are read in order instead. */
const maxHits = 1_000
/** Documents looked at before yielding to the event loop: few at first, because most searches end there. */
const firstLook = 200
const maxLook = 1_000

/** A page by fields alone. @throws RangeError for an invalid limit, WrongCursor */
export function findIn(sqlite: SqliteFile, source: string | Source, query: Query): Found {
  const { sort } = query
  const { mark, size } = startOf(query)
  const found: (string | Document)[] = []
  let characters = 0
  for (const { text, values } of pages(source, query, mark, size + 1)) {
    // The driver needs as long for one row as SQLite for several, so the page is returned as a single text.
    const page = sqlite.prepare(`SELECT group_concat(json_quote(id) || ',' || doc) FROM (${text})`).get(values)?.[0]
    if (typeof page === 'string') {
      found.push(...JSON.parse(`[${page}]`))
      characters += page.length
    }
    if (found.length > 2 * size) break
  }
  return { page: toPage(found, size, sort), characters }
}

/** A page of documents that meet the query's filter too: they are read in order, in stretches. */
export async function sift(sqlite: SqliteFile, documents: string, query: Query): Promise<Found> {
  startOf(query)
  return walk(sqlite, { from: documents, values: [], kept: expression(query.filter ?? {}) }, query)
}

/**
 * A page of documents that have all the words. A rare word's hits are fetched from the index of words and sorted. For
 * frequent ones the documents are read in order, in stretches of at most 1,000, because most pages are full soon.
 */
export async function search(
  sqlite: SqliteFile,
  tables: { readonly documents: string; readonly words: string },
  query: Query,
  scope: string,
  words: readonly string[],
): Promise<Found> {
  startOf(query)
  const kept = keeping(words, query)
  const match = matching(scope, words)
  const hits = match === null ? null : hitsOf(sqlite, tables.words, match)
  if (hits === null) return walk(sqlite, { from: tables.documents, values: [], kept }, query)
  // A cross join keeps this order: the hits decide which documents are read, not an index of the sort order.
  const each = '(SELECT value AS hit FROM json_each(?))'
  const from = `${each} CROSS JOIN ${tables.documents} AS found ON found.row = hit AND ${kept.text}`
  return findIn(sqlite, { from, values: [hits, ...kept.values] }, query)
}

/** What the index of words leaves open: whole words, and the query's filter. */
function keeping(words: readonly string[], { filter }: Query): Sql {
  const further = filter ? expression(filter) : null
  const tested = toPowerOfTwo(words)
  return {
    text: [...tested.map(() => `instr(words, ?) > 0`), ...(further ? [further.text] : [])].join(' AND '),
    values: [...tested.map((word) => ` ${word}`), ...(further?.values ?? [])],
  }
}

/** Repeats the last word, so that searches of almost as many words have one statement. */
function toPowerOfTwo(words: readonly string[]): readonly string[] {
  const length = 2 ** Math.ceil(Math.log2(words.length))
  return [...words, ...Array.from({ length: length - words.length }, () => words.at(-1) ?? '')]
}

/** The rows that match, as JSON; null when they are too many. */
function hitsOf(sqlite: SqliteFile, table: string, match: string): string | null {
  const rows = `SELECT rowid AS hit FROM ${table} WHERE ${table} MATCH ? LIMIT ${maxHits + 1}`
  const [hits, count] = sqlite.prepare(`SELECT json_group_array(hit), count(*) FROM (${rows})`).get([match]) ?? []
  return Number(count) > maxHits ? null : String(hits)
}

/** Reads the documents in order, and keeps some; each stretch begins behind the last document of the one before. */
async function walk(sqlite: SqliteFile, source: Source, query: Query): Promise<Found> {
  const { sort } = query
  const { size, ...start } = startOf(query)
  const found: (string | Document)[] = []
  let characters = 0
  for (let mark: Mark | null = start.mark, look = firstLook; ; look = Math.min(maxLook, look * 2)) {
    const read = stretch(sqlite, source, query, mark, look)
    for (const [id, doc] of read.rows)
      if (typeof doc === 'string' && found.length <= 2 * size) {
        found.push(String(id), JSON.parse(doc) as Document)
        characters += doc.length
      }
    if (read.mark === null || found.length > 2 * size) return { page: toPage(found, size, sort), characters }
    mark = read.mark
    await yieldToEventLoop()
  }
}

/** The next documents, and where to go on; null behind the last one. */
function stretch(sqlite: SqliteFile, source: Source, query: Query, from: Mark | null, look: number) {
  const rows = []
  for (const { text, values } of pages(source, query, from, look)) {
    const some = sqlite.prepare(`SELECT id, doc, json_quote(key) FROM (${text})`).all(values)
    rows.push(...some)
    const last = some.length < look ? undefined : some.at(-1)
    if (last) {
      const id = String(last[0])
      return { rows, mark: query.sort ? { id, value: JSON.parse(String(last[2])) } : { id } }
    }
  }
  return { rows, mark: null }
}

/** Where a page begins, and its limit. @throws RangeError for an invalid limit, WrongCursor */
function startOf({ sort, cursor, limit = maxDocuments }: Query): { readonly mark: Mark | null; readonly size: number } {
  if (!Number.isInteger(limit) || limit < 1 || limit > maxDocuments) throw new RangeError(`Not a limit: ${limit}`)
  return { mark: cursor === undefined ? null : fromCursor(cursor, sort), size: limit }
}

/** @param found ids and documents in turn, with any number beyond the limit */
function toPage(found: readonly (string | Document)[], limit: number, sort: Query['sort']): Page {
  const items = found.filter((entry) => typeof entry === 'object').slice(0, limit)
  const after = (index: number) => toCursor(String(found[2 * index]), items[index] ?? {}, sort)
  return { items, next: found.length > 2 * limit ? after(limit - 1) : null, after }
}

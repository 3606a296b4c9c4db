/** Finds documents in an SQLite table: by their fields, or by their words too. */
import type { SqliteFile } from '../../domain/event-store/sqlite.ts'
import type { Found } from './answers.ts'
import { fromCursor, toCursor } from './cursor.ts'
import type { Document, Page, Query } from './port.ts'
import { expression, maxDocuments, pages, type Mark, type Source, type Sql } from './sql.ts'
import { matching } from './sql-words.ts'
import type { Turns } from './turns.ts'
import { walk } from './walk.ts'

/** Up to so many hits of a search are fetched and sorted; with more, the documents are read in order instead. */
const maxHits = 1_000

/** The file, and the turns of all long searches in it. */
export interface Reading {
  readonly sqlite: SqliteFile
  readonly turns: Turns
}

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

/**
 * A page of documents that meet the query's filter too: they are read in order, in stretches. @param scope searches of
 * the same one wait for each other @throws Crowded when too many wait
 */
export async function sift(reading: Reading, documents: string, query: Query, scope: string): Promise<Found> {
  startOf(query)
  return walked(reading, { from: documents, values: [], kept: expression(query.filter ?? {}) }, query, scope)
}

/**
 * A page of documents that have all the words. A rare word's hits are fetched from the index of words and sorted. For
 * frequent ones the documents are read in order, in stretches, because most pages are full soon. @throws Crowded when
 * too many searches wait
 */
export async function search(
  reading: Reading,
  tables: { readonly documents: string; readonly words: string },
  query: Query,
  scope: string,
  words: readonly string[],
): Promise<Found> {
  startOf(query)
  const kept = keeping(words, query)
  const match = matching(scope, words)
  const hits = match === null ? null : hitsOf(reading.sqlite, tables.words, match)
  if (hits === null) return walked(reading, { from: tables.documents, values: [], kept }, query, scope)
  // A cross join keeps this order: the hits decide which documents are read, not an index of the sort order.
  const each = '(SELECT value AS hit FROM json_each(?))'
  const from = `${each} CROSS JOIN ${tables.documents} AS found ON found.row = hit AND ${kept.text}`
  return findIn(reading.sqlite, { from, values: [hits, ...kept.values] }, query)
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

async function walked({ sqlite, turns }: Reading, source: Source, query: Query, scope: string): Promise<Found> {
  const { mark, size } = startOf(query)
  const kept = await walk(sqlite, source, query, { mark, wanted: size + 1 }, (stretch) => turns.take(scope, stretch))
  const found = kept.flatMap(({ mark: { id }, doc }) => [id, JSON.parse(doc) as Document])
  const characters = kept.reduce((sum, { doc }) => sum + doc.length, 0)
  return { page: toPage(found, size, query.sort), characters }
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

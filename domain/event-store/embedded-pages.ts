/** Page sizes for reading a long log, adapted to the events' size. */
import type { Row } from './sqlite.ts'

export const COLUMNS = 'e.position, e.stream, e.revision, e.name, e.data, e.metadata'
const PAGE_ROWS = 200
const PAGE_CHARACTERS = 4_000_000

/** First page of a stream whose event sizes are unknown: most streams are shorter. */
export const FIRST_ROWS = 8
/** Page size of a stream: read and parsed in well under 50 ms. */
const STREAM_PAGE_BYTES = 1_000_000
/** The sizes of a stream's next events, which SQLite knows without reading them. */
export const SIZES = `SELECT octet_length(data) + octet_length(metadata) FROM events WHERE stream = ? AND revision >= ? ORDER BY revision LIMIT ${PAGE_ROWS}`

/** How many of the next events, at least one, fit a page of a stream. @param sizes rows of `SIZES` */
export function fitting(sizes: readonly Row[]): number {
  let bytes = 0
  const over = sizes.findIndex(([size]) => (bytes += Number(size)) > STREAM_PAGE_BYTES)
  return Math.max(1, over < 0 ? PAGE_ROWS : over)
}

/** The index returns each name's positions sorted; merging them costs only the events found, however rare. */
export function pageSql(names: number | undefined): string {
  const range = 'position > ?1 AND position <= ?2'
  if (names === undefined) return `SELECT ${COLUMNS} FROM events e WHERE ${range} ORDER BY position LIMIT ?3`
  const ofName = (_: unknown, i: number) => `SELECT position FROM events WHERE name = ?${i + 4} AND ${range}`
  const merged = Array.from({ length: names }, ofName).join(' UNION ALL ')
  return `SELECT ${COLUMNS} FROM (${merged} ORDER BY position LIMIT ?3) p CROSS JOIN events e ON e.position = p.position`
}

/** The next page's row limit, so that a page stays a few megabytes for any event size. */
export function nextLimit(rows: readonly Row[]): number {
  const average = rows.reduce((sum, row) => sum + size(row), 0) / Math.max(1, rows.length)
  return Math.max(1, Math.min(PAGE_ROWS, Math.floor(PAGE_CHARACTERS / Math.max(1, average))))
}

/** In characters. */
export function size(row: Row): number {
  return String(row[4]).length + String(row[5]).length
}

/** The opaque cursor between two pages. */
import type { Mark } from './sql.ts'
import { WrongCursor, type Document, type Query, type Scalar } from './port.ts'

/** The cursor after a page that ended with this document. */
export function toCursor(id: string, doc: Document, sort: Query['sort']): string {
  const mark = sort ? [id, scalar(doc[sort.field])] : [id]
  return Buffer.from(JSON.stringify(mark)).toString('base64url')
}

/** @throws WrongCursor when the text is not a cursor of a query with this sort order */
export function fromCursor(cursor: string, sort: Query['sort']): Mark {
  const [id, value, ...rest] = parsed(cursor)
  if (typeof id !== 'string' || !isStorable(id) || rest.length > 0 || (value === undefined) !== (sort === undefined))
    throw invalid()
  return sort ? { id, value: scalar(value) } : { id }
}

/** No document has another id, and the driver refuses to look for one. */
const isStorable = (id: string) => id.isWellFormed() && !id.includes('\0')

function parsed(cursor: string): readonly unknown[] {
  try {
    const bytes = Buffer.from(cursor, 'base64url')
    // Our cursors have one canonical encoding: any other was not made by this server.
    if (bytes.toString('base64url') !== cursor) throw invalid()
    const mark: unknown = JSON.parse(bytes.toString())
    return Array.isArray(mark) ? mark : []
  } catch {
    throw invalid()
  }
}

function scalar(value: unknown): Scalar {
  if (value === undefined || value === null) return null
  if (typeof value === 'string' || Number.isFinite(value) || typeof value === 'boolean') return value as Scalar
  throw invalid()
}

function invalid(): WrongCursor {
  return new WrongCursor('Not a cursor of this query')
}

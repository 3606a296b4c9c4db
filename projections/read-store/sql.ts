/** Translates the read store's queries to SQL over a table of JSON documents. */
import { excludesNull } from './conditions.ts'
import type { Condition, Query, Scalar, Where } from './port.ts'

export interface Sql {
  readonly text: string
  readonly values: readonly (string | number | null)[]
}

/** The end of the last page: the sort field's value (absent when sorted by id alone) and the id. */
export interface Mark {
  readonly value?: Scalar
  readonly id: string
}

export const maxDocuments = 1000

/** The indexed expression for a field. @throws TypeError for an invalid name */
export function field(name: string): string {
  if (!/^[A-Za-z][A-Za-z0-9]*$/.test(name)) throw new TypeError(`Not a field: ${JSON.stringify(name)}`)
  return `json_extract(doc,'$.${name}')`
}

/** What a page is read from, and which of its rows have a document: by default all of a table's. */
export interface Source {
  readonly from: string
  readonly values: Sql['values']
  /** An expression that is false for a row whose document is not part of the result. */
  readonly kept?: Sql
}

/**
 * A page as statements to run in turn until it is full; each returns rows of id, document and, as JSON, sort key.
 * More than one, because nulls sort first but compare with nothing: they need a statement of their own.
 */
export function pages(source: string | Source, query: Query, mark: Mark | null, limit: number): readonly Sql[] {
  const { from, values, kept } = typeof source === 'string' ? { from: source, values: [] } : source
  const key = query.sort ? field(query.sort.field) : null
  const down = query.sort?.order === 'desc'
  const doc = kept ? `CASE WHEN ${kept.text} THEN doc END AS doc` : 'doc'
  const searches = searchesOf(query).map((where) => {
    const bound: Sql['values'][number][] = []
    return { where: conditions(where, bound), bound }
  })
  return stretches(key, down, mark).map((stretch) => {
    const order = (of: (by: string) => string) => stretch.by.map((by) => (down ? `${of(by)} DESC` : of(by))).join(', ')
    const each = searches.map(({ where, bound }) => ({
      text: `SELECT id, ${doc}, ${key ?? 'NULL'} AS key FROM ${from} WHERE ${[...where, ...stretch.where].join(' AND ')} ORDER BY ${order((by) => by)} LIMIT ?`,
      values: [...(kept?.values ?? []), ...values, ...bound, ...stretch.values, limit],
    }))
    const [only] = each
    if (each.length === 1 && only) return only
    return {
      text: `SELECT id, doc, key FROM (${each.map(({ text }) => `SELECT * FROM (${text})`).join(' UNION ALL ')}) ORDER BY ${order((by) => (by === 'id' ? by : 'key'))} LIMIT ?`,
      values: [...each.flatMap((one) => one.values), limit],
    }
  })
}

/** Searches that one page may be merged from. */
const maxSearches = 32

/**
 * A sorted search for several values as one search for each: an index has the documents of each value in order, and
 * only so many as fit on the page are read and merged. A list with null, or of too many values, stays one condition.
 */
export function searchesOf({ where = {}, sort }: Query): readonly Where[] {
  let all: readonly Where[] = [where]
  if (!sort) return all
  for (const [name, condition] of Object.entries(where)) {
    if (condition === null || typeof condition !== 'object' || !('in' in condition)) continue
    const values = [...new Set(condition.in)]
    if (values.length === 0 || values.includes(null) || all.length * values.length > maxSearches) continue
    all = all.flatMap((one) => values.map((value) => ({ ...one, [name]: value })))
  }
  return all
}

/** Conditions as one expression. */
export function expression(where: Where): Sql {
  const values: Sql['values'][number][] = []
  return { text: conditions(where, values).join(' AND '), values }
}

export function counting(table: string, where: Where): Sql {
  // Counts all of them on the narrowest index; reading each document would take ten times as long.
  if (Object.keys(where).length === 0)
    return {
      text: `SELECT (SELECT count(*) FROM ${table}) - (SELECT count(*) FROM ${table} WHERE doc IS NULL)`,
      values: [],
    }
  const values: Sql['values'][number][] = []
  return { text: `SELECT count(*) FROM ${table} WHERE ${conditions(where, values).join(' AND ')}`, values }
}

interface Stretch {
  readonly where: readonly string[]
  readonly values: Sql['values']
  readonly by: readonly string[]
}

/** The parts of the result after the mark, in sort order. */
function stretches(key: string | null, down: boolean, mark: Mark | null): readonly Stretch[] {
  if (mark === null) return [{ where: [], values: [], by: key === null ? ['id'] : [key, 'id'] }]
  const beyond = down ? '<' : '>'
  if (key === null) return [{ where: [`id ${beyond} ?`], values: [mark.id], by: ['id'] }]
  if (mark.value === undefined || mark.value === null) {
    const nulls: Stretch = { where: [`${key} IS NULL`, `id ${beyond} ?`], values: [mark.id], by: ['id'] }
    return down ? [nulls] : [nulls, { where: [`${key} IS NOT NULL`], values: [], by: [key, 'id'] }]
  }
  const values: Sql['values'][number][] = []
  // The first comparison is redundant, but SQLite uses it for the index.
  const where = [
    `${key} ${beyond}= ${placeholder(mark.value, values)}`,
    `(${key} ${beyond} ${placeholder(mark.value, values)} OR id ${beyond} ?)`,
  ]
  values.push(mark.id)
  const further: Stretch = { where, values, by: [key, 'id'] }
  return down ? [further, { where: [`${key} IS NULL`], values: [], by: ['id'] }] : [further]
}

function conditions(where: Where, values: Sql['values'][number][]): string[] {
  const each = Object.entries(where).map(([name, condition]) => one(field(name), condition, values))
  // A tombstone has no fields. Without this, an index that has all fields answers without reading the documents.
  return Object.values(where).some(excludesNull) ? each : [...each, 'doc IS NOT NULL']
}

function one(key: string, condition: Condition, values: Sql['values'][number][]): string {
  if (condition === null) return `${key} IS NULL`
  if (typeof condition !== 'object') return `${key} = ${placeholder(condition, values)}`
  if ('in' in condition) {
    // One statement for lists of any length; SQLite's JSON reader converts the list like the documents.
    values.push(JSON.stringify(condition.in.map(checked)))
    const among = `${key} IN (SELECT value FROM json_each(?))`
    return condition.in.includes(null) ? `(${among} OR ${key} IS NULL)` : among
  }
  return range(key, condition, values)
}

/** SQLite orders every number before every text: a range over one type must not include the other. */
function range(
  key: string,
  bounds: { readonly gte?: Scalar; readonly lt?: Scalar },
  values: Sql['values'][number][],
): string {
  const { gte, lt } = bounds
  const kinds = new Set([gte, lt].filter((bound) => bound !== undefined).map((bound) => typeof bound === 'string'))
  if (kinds.size !== 1 || gte === null || lt === null)
    throw new TypeError('A range has bounds of one kind, and no null')
  const ofText = kinds.has(true)
  return [
    gte === undefined ? (ofText ? [`${key} >= ''`] : []) : [`${key} >= ${placeholder(gte, values)}`],
    lt === undefined ? (ofText ? [] : [`${key} < ''`]) : [`${key} < ${placeholder(lt, values)}`],
  ]
    .flat()
    .join(' AND ')
}

/**
 * Binds a value; a value that the driver would alter is converted by SQLite's JSON reader, like the documents' values.
 */
function placeholder(value: Scalar, values: Sql['values'][number][]): string {
  const scalar = checked(value)
  if (typeof scalar === 'boolean') {
    values.push(scalar ? 1 : 0)
    return '?'
  }
  if (typeof scalar === 'string' ? /[\0\p{Cs}]/u.test(scalar) : !Number.isSafeInteger(scalar)) {
    values.push(JSON.stringify(scalar))
    return `json_extract(?,'$')`
  }
  values.push(scalar)
  return '?'
}

function checked(value: Scalar): Scalar {
  const fits = value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
  if (!fits) throw new TypeError(`Not a scalar: ${String(value)}`)
  return value
}

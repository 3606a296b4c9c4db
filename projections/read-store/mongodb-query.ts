/** Translates the read store's queries to MongoDB's, over documents with their scalar fields stored beside them. */
import type { Filter as MongoFilter } from 'mongodb'
import { toKey } from './mongodb-connection.ts'
import { excludesNull } from './conditions.ts'
import type { Condition, Query, Scalar, Where } from './port.ts'
import type { Mark } from './sql.ts'

/** `f_<field>` for each top-level scalar; null and absent are both stored as absent. */
export interface Stored {
  readonly _id: string
  readonly position: string
  /** False for a tombstone. */
  readonly alive: boolean
  /** The document as JSON, without its words. */
  readonly doc: string | null
  /** Absent in a collection without an index of words. */
  readonly words?: readonly string[]
  readonly [field: `f_${string}`]: string | number | boolean
}

export type Filter = MongoFilter<Stored>
export interface Stretch {
  readonly filter: Filter
  readonly order: Readonly<Record<string, 1 | -1>>
}

/** The stored name of a field. @throws TypeError for an invalid name */
export function stored(name: string): `f_${string}` {
  if (!/^[A-Za-z][A-Za-z0-9]*$/.test(name)) throw new TypeError(`Not a field: ${JSON.stringify(name)}`)
  return `f_${name}`
}

/**
 * Names no field besides the wanted ones where these rule out a tombstone: an index that has them then counts without
 * fetching a document (https://www.mongodb.com/docs/manual/core/query-optimization/#covered-query).
 */
export const counting = (where: Where): Filter =>
  Object.values(where).some(excludesNull) ? conditions(where) : { alive: true, ...conditions(where) }

/** A page as queries to run in turn until it is full: each uses an index, in order. */
export function pages(
  { where = {}, sort, filter }: Query,
  mark: Mark | null,
  words: readonly string[] = [],
): readonly Stretch[] {
  const also = [...words.map(beginning), ...(filter ? [conditions(filter)] : [])]
  const all = also.length === 0 ? counting(where) : { $and: [counting(where), ...also] }
  const key = sort ? stored(sort.field) : null
  const down = sort?.order === 'desc'
  const way = down ? -1 : 1
  const beyond = down ? '$lt' : '$gt'
  const byId = { _id: way } as const
  const byKey = { ...(key === null ? {} : { [key]: way }), _id: way } as Stretch['order']
  if (mark === null) return [{ filter: all, order: byKey }]
  const furtherId = { _id: { [beyond]: mark.id } }
  if (key === null) return [{ filter: both(all, furtherId), order: byId }]
  const nulls = about(key, null)
  if (mark.value === undefined || mark.value === null) {
    const rest = { filter: both(all, about(key, { $ne: null })), order: byKey }
    return [{ filter: both(all, { ...nulls, ...furtherId }), order: byId }, ...(down ? [] : [rest])]
  }
  const value = bound(mark.value)
  const further = [
    { filter: both(all, { ...about(key, value), ...furtherId }), order: byId },
    { filter: both(all, about(key, { [beyond]: value })), order: byKey },
  ]
  return down ? [...further, { filter: both(all, nulls), order: byId }] : further
}

/** A word of letters and digits. An anchored pattern is a range of the index, for each word of the array by itself. */
const beginning = (word: string): Filter => ({ words: { $regex: `^${word}` } })

/** The driver's types don't allow computed names. */
const about = (key: `f_${string}`, condition: unknown): Filter => ({ [key]: condition }) as Filter

/** Both conditions may concern the same field. */
const both = (one: Filter, other: Filter): Filter => ({ $and: [one, other] })

function conditions(where: Where): Filter {
  return Object.assign({}, ...Object.entries(where).map(([name, condition]) => about(stored(name), one(condition))))
}

function one(condition: Condition): unknown {
  if (condition === null || typeof condition !== 'object') return bound(condition)
  if ('in' in condition) return { $in: condition.in.map(bound) }
  const { gte, lt } = condition
  const kinds = new Set([gte, lt].filter((limit) => limit !== undefined).map((limit) => typeof limit === 'string'))
  if (kinds.size !== 1 || gte === null || lt === null)
    throw new TypeError('A range has bounds of one kind, and no null')
  // A comparison matches only values of its own type.
  return { ...(gte === undefined ? {} : { $gte: bound(gte) }), ...(lt === undefined ? {} : { $lt: bound(lt) }) }
}

function bound(value: Scalar): Scalar {
  if (typeof value === 'string') return toKey(value)
  if (value === null || typeof value === 'boolean' || Number.isFinite(value)) return value
  throw new TypeError(`Not a scalar: ${String(value)}`)
}

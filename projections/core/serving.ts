/** Which collection serves the reads of a view: its own, or a predecessor's until that is built. */
import type { Document, Query } from '../read-store/port.ts'
import { isOfVersion, type Predecessor } from './projection.ts'

/** What reading needs to know of a projection. */
export interface Served<V = unknown> {
  readonly name: string
  readonly version: number
  readonly predecessors?: readonly Predecessor<V>[]
}

/** @param live the collection that each view's name points at; null: nothing can be read yet */
export function servingCollection(projection: Served, live: (view: string) => string | null): string | null {
  const own = live(projection.name)
  if (own !== null && isReadable(projection, own)) return own
  for (const { view = projection.name, version } of projection.predecessors ?? []) {
    const collection = live(view)
    if (collection !== null && isOfVersion({ name: view, version }, collection)) return collection
  }
  return null
}

/** Turns the documents of the collection that serves a view into the view's own. */
export function converterFor<V>(projection: Served<V>, collection: string): (document: Document) => V {
  if (isReadable(projection, collection)) return (document) => document as V
  for (const { view = projection.name, version, convert } of projection.predecessors ?? [])
    if (isOfVersion({ name: view, version }, collection)) return convert
  throw new Error(`The view ${projection.name} can't be read from ${collection}`)
}

/** Whether a collection can answer a query: a predecessor has no index of words, and may lack an index for a field. */
export function canServe(projection: Served, collection: string, { where = {}, words, filter }: Query): boolean {
  if (isReadable(projection, collection)) return true
  if (words !== undefined || filter !== undefined) return false
  const serving = projection.predecessors?.find(({ view = projection.name, version }) =>
    isOfVersion({ name: view, version }, collection),
  )
  return serving?.indexes?.some(([field]) => field !== undefined && field in where) ?? true
}

/**
 * Whether a collection is the view's own.
 * A later version was built by a newer process: during an upgrade, the older ones read it as their own until they are
 * replaced.
 */
export const isReadable = (projection: Served, collection: string): boolean =>
  isOfVersion(projection, collection) || versionOf(projection, collection) > projection.version

/** -1: the collection belongs to another view. */
function versionOf({ name }: Served, collection: string): number {
  const prefix = `${name.replaceAll('-', '_')}_v`
  return collection.startsWith(prefix) ? Number.parseInt(collection.slice(prefix.length), 10) : -1
}

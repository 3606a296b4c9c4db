/** The definition of a view: which events change which document, and how. No side effects, no clock. */
import type { z } from 'zod'
import type { Fact, Position, Recorded } from '../../domain/core/event.ts'
import type { Document, Indexes, WordScope } from '../read-store/port.ts'

/** A collection that serves a view's reads while this version of it is built for the first time. */
export interface Predecessor<V> {
  /** The view that the collection belongs to. Absent: an earlier version of the same view. */
  readonly view?: string
  readonly version: number
  /** Its indexes, where they cannot serve all queries of the view: the others wait until the view is built. */
  readonly indexes?: Indexes
  readonly convert: (document: Document) => V
}

export interface Projection<V extends { readonly id: string } = { readonly id: string }, E extends Fact = Fact> {
  /** The view's name: the screen or the question that it serves. */
  readonly name: string
  /** Part of the collection's name: a new version is built beside the old one. */
  readonly version: number
  readonly view: z.ZodType<V>
  readonly indexes: Indexes
  /** Absent: the view can't be read until it is built. */
  readonly predecessors?: readonly Predecessor<V>[]
  /** The field that limits a search for words; its documents have a field `words`. Null: no index of words. */
  readonly wordScope: WordScope
  /** The ids of the documents that an event changes. */
  keys(event: Recorded<E>): readonly string[]
  /** Whether a document depends on one stream only: then a stream's first event has no document yet. */
  readonly isPerStream: boolean
  /** The handled event types: the subscription's filter. */
  readonly types: readonly string[]
  /** Further ids, which documents of this view name; absent: an event's own data name all of them. */
  relatedKeys?(event: Recorded<E>, read: Read<V>): readonly string[]
  apply(doc: V | null, event: Recorded<E>, key: string, read?: Read<V>): V | null
}

/** Reads a document of `keys`, as it was before the event or, in a replay, at a later one. */
export type Read<V> = (key: string) => V | null

type Handlers<V, E extends Fact> = {
  readonly [Type in E['type']]?: (
    doc: V | null,
    event: Recorded<Extract<E, { type: Type }>>,
    key: string,
    read: Read<V>,
  ) => V | null
}

export interface Definition<V extends { readonly id: string }, E extends Fact> {
  readonly name: string
  readonly version: number
  readonly view: z.ZodType<V>
  readonly indexes: Indexes
  /** Absent: the view can't be read until it is built. */
  readonly predecessors?: readonly Predecessor<V>[]
  /** Absent: no index of words. */
  readonly wordScope?: keyof V & string
  /** Absent: one document per stream, by the id in the stream's name. */
  readonly keys?: (event: Recorded<E>) => readonly string[]
  /**
   * Further documents that an event changes, where a document of `keys` names them. That document must keep what is
   * read of it: a replay of the event finds it as it was left, and has to lead to the same ids and changes.
   */
  relatedKeys?(event: Recorded<E>, read: Read<V>): readonly string[]
  /** Null deletes the document. */
  readonly on: Handlers<V, E>
}

export const projection =
  <E extends Fact>() =>
  <V extends { readonly id: string }>(definition: Definition<V, E>): Projection<V, E> => {
    const handlers: Readonly<
      Record<string, ((doc: V | null, event: Recorded<never>, key: string, read: Read<V>) => V | null) | undefined>
    > = definition.on
    return {
      name: definition.name,
      version: definition.version,
      view: definition.view,
      indexes: definition.indexes,
      ...(definition.predecessors ? { predecessors: definition.predecessors } : {}),
      wordScope: definition.wordScope ?? null,
      keys: definition.keys ?? ((event) => [idOf(event.stream)]),
      isPerStream: definition.keys === undefined,
      types: Object.keys(definition.on),
      ...(definition.relatedKeys ? { relatedKeys: definition.relatedKeys } : {}),
      apply(doc, event, key, read = () => null) {
        const handler = handlers[event.type]
        return handler ? handler(doc, event as Recorded<never>, key, read) : doc
      },
    }
  }

/** The id in a stream's name: `post-0193…` -> `0193…`. */
export const idOf = (stream: string): string => stream.slice(stream.indexOf('-') + 1)

/** `posts_v1` for generation 0, `posts_v1_g2` for a rebuild of the same version. */
export const collectionName = ({ name, version }: { name: string; version: number }, generation = 0): string =>
  `${name.replaceAll('-', '_')}_v${version}${generation > 0 ? `_g${generation}` : ''}`

/** Whether a collection belongs to this version of the projection, in any generation. */
export const isOfVersion = (projected: { name: string; version: number }, collection: string): boolean => {
  const base = collectionName(projected)
  return collection === base || collection.startsWith(`${base}_g`)
}

export const isAfter = (a: Position, b: Position | null): boolean => b === null || a > b

/**
 * Reads a user's own writes: an answer waits for the read models, and takes a document from the log while the read
 * model lacks it.
 */
import { recorded } from '../../domain/event-store/catalogue.ts'
import type { EventStore } from '../../domain/event-store/port.ts'
import type { Projection } from '../../projections/core/projection.ts'
import type { ViewReader } from '../../projections/core/views.ts'
import type { AppendedEvent } from './command-handler.ts'

/** Whether readers have these events; waits at most `timeoutMs`. */
export type WaitFor = (appendedEvents: readonly AppendedEvent[], timeoutMs: number) => Promise<boolean>

/** Waits for one reader after the other, within one time for all of them. */
export const inTurn =
  (...waits: readonly WaitFor[]): WaitFor =>
  async (appendedEvents, timeoutMs) => {
    const until = performance.now() + timeoutMs
    for (const waitFor of waits)
      if (!(await waitFor(appendedEvents, Math.max(0, until - performance.now())))) return false
    return true
  }

/** Where a document is found: in its view by id, and in the log by projection and stream. */
export interface Sought<V extends { readonly id: string }> {
  readonly id: string
  readonly view: ViewReader<V>
  readonly projection: Projection<V, never>
  readonly stream: string
}

/** @param visible whether the view has the last change */
export type Newest = <V extends { readonly id: string }>(sought: Sought<V>, visible: boolean) => Promise<V | null>

export const newest =
  (fold: FromLog): Newest =>
  async ({ id, view, projection, stream }, visible) =>
    (visible ? await view.get(id) : null) ?? fold(projection, stream, id)

export type FromLog = <V extends { readonly id: string }>(
  projection: Projection<V, never>,
  stream: string,
  key: string,
) => Promise<V | null>

export const fromLog = (store: EventStore): FromLog =>
  async function fold<V extends { readonly id: string }>(
    projection: Projection<V, never>,
    stream: string,
    key: string,
  ): Promise<V | null> {
    let doc: V | null = null
    for await (const batch of store.read(stream)) {
      for (const stored of batch) {
        const event = recorded(stored)
        if (!projection.types.includes(event.type)) continue
        const handled = event as never
        if (projection.keys(handled).includes(key)) doc = projection.apply(doc, handled, key)
      }
    }
    return doc
  }

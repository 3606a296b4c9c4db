/** A view's document computed from one stream of the log, for an answer that the read model doesn't have yet. */
import { recorded } from '../domain/event-store/catalogue.ts'
import type { EventStore } from '../domain/event-store/port.ts'
import type { Projection } from '../projections/core/projection.ts'

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

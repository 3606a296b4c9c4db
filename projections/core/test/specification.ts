/** given / then for a projection, on a real store. Independent of the test runner: its only own error is `Unstable`. */
import { events as catalogue } from '../../../domain/event-store/catalogue.ts'
import type { Actor, Fact, Position, StoredEvent } from '../../../domain/core/event.ts'
import type { Document, Kept, ReadStore } from '../../read-store/port.ts'
import { Folding } from '../fold.ts'
import { collectionName, type Projection } from '../projection.ts'

/** An event with its stream and time. */
export interface Happened {
  readonly stream: string
  readonly fact: Fact
  readonly at?: string
  readonly agencyId?: string
  readonly clientId?: string
  /** Default: a user. */
  readonly actor?: Actor
}

/** A replay, or other batch boundaries, led to different documents. */
export class Unstable extends Error {
  override readonly name = 'Unstable'
}

const owner: Actor = { type: 'user', id: 'owner' }
let specs = 0

/**
 * `given(…).shows()` returns the documents, by id. On the way every event is handled twice, one by one, and all of them
 * twice as one batch: the documents must come out the same each time, and match the view's schema.
 */
export function specification(projection: Projection, store: () => ReadStore) {
  return {
    given: (...happened: readonly Happened[]) => {
      const events = storedOf(happened).filter(({ name }) => catalogue.namesOf(projection.types).includes(name))
      return {
        async shows(): Promise<readonly Document[]> {
          const kept = await fold(projection, events, store())
          return [...kept.values()].flatMap(({ doc }) => (doc === null ? [] : [doc]))
        },
        /** The deleted ids, kept as tombstones so that a late batch can't restore them. */
        async tombstones(): Promise<readonly string[]> {
          const kept = await fold(projection, events, store())
          return [...kept].flatMap(([id, { doc }]) => (doc === null ? [id] : []))
        },
      }
    },
  }
}

async function fold(
  projection: Projection,
  events: readonly StoredEvent[],
  store: ReadStore,
): Promise<ReadonlyMap<string, Kept>> {
  specs += 1
  const [one, whole] = [
    `spec_${specs}_${collectionName(projection)}`,
    `spec_${specs}_whole_${collectionName(projection)}`,
  ]
  const ids = new Set<string>()
  const take = async (collection: string, batch: readonly StoredEvent[]) => {
    // A fresh memory for each batch, as after a restart.
    const folding = new Folding(projection, collection, store, false)
    const { failure } = await folding.add(batch)
    if (failure) throw failure
    const changed = folding.takeChanged()
    for (const { id, doc } of changed) {
      ids.add(id)
      if (doc !== null) projection.view.parse(doc)
    }
    await store.write(collection, changed, batch.at(-1)?.position ?? null)
  }
  const kept = async (collection: string) =>
    new Map([...(await store.getMany(collection, [...ids]))].sort(([a], [b]) => (a < b ? -1 : 1)))
  const same = (a: ReadonlyMap<string, Kept>, b: ReadonlyMap<string, Kept>, how: string) => {
    if (JSON.stringify([...a]) !== JSON.stringify([...b]))
      throw new Unstable(`${projection.name} gives another result ${how}`)
  }

  await store.ensure(one, projection.indexes, projection.wordScope)
  await store.ensure(whole, projection.indexes, projection.wordScope)
  for (const event of events) {
    await take(one, [event])
    const once = await kept(one)
    await take(one, [event])
    same(once, await kept(one), `when ${event.name} is applied twice`)
  }
  const result = await kept(one)
  for (const how of ['in one batch', 'when the batch is applied twice']) {
    await take(whole, events)
    same(result, await kept(whole), how)
  }
  await take(one, events)
  same(result, await kept(one), 'when all of it is replayed')
  return result
}

/** As a log stores them. */
export function storedOf(happened: readonly Happened[]): StoredEvent[] {
  const revisions = new Map<string, number>()
  return happened.map(
    (
      { stream, fact, at = '2026-03-02T10:00:00.000Z', agencyId = 'agency-1', clientId = 'client-1', actor = owner },
      index,
    ) => {
      const revision = (revisions.get(stream) ?? -1) + 1
      revisions.set(stream, revision)
      const position: Position = String(index + 1).padStart(16, '0')
      const by = { actor, correlationId: 'c', causationId: 'c', schemaVersion: 1, prevHash: null, hash: '' }
      return {
        ...catalogue.encode(fact),
        stream,
        revision,
        position,
        metadata: { eventId: `e-${index}`, at, agencyId, clientId, ...by },
      }
    },
  )
}

/** Events of one stream, in order. */
export const on = (stream: string, ...facts: readonly Fact[]): Happened[] => facts.map((fact) => ({ stream, fact }))

/** Builds a fresh collection beside the live one. Reads know nothing of it until the view is switched to it. */
import type { ReadStore } from '../read-store/port.ts'
import { Feed, type FeedPorts, type Passing } from './feed.ts'
import { collectionName, isOfVersion, type Projection } from './projection.ts'

/** What is being built in which store; two builders of one projection would take each other's collection away. */
const underWay = new WeakMap<ReadStore, Set<string>>()

/** A second rebuild of a projection whose first one still runs. */
export class RebuildUnderWay extends Error {
  override readonly name = 'RebuildUnderWay'
}

/**
 * Fills a fresh generation up to the log's end, makes it fit for reads and hands it over.
 * Unless the view was switched to it by then, it is dropped again and the live one stays as it is.
 * @throws RebuildUnderWay, FailedEvent
 */
export async function buildBeside(
  projection: Projection,
  ports: FeedPorts,
  passing: Passing,
  handOver: (fresh: Feed) => Promise<void>,
): Promise<void> {
  const { store } = ports
  const names = underWay.get(store) ?? new Set<string>()
  underWay.set(store, names)
  if (names.has(projection.name))
    throw new RebuildUnderWay(`The projection ${projection.name} is being rebuilt already`)
  names.add(projection.name)
  try {
    const fresh = await new Feed(projection, await freshCollection(projection, store), ports, false).open()
    try {
      await fresh.catchUp(passing)
      await fresh.index()
      passing.signal?.throwIfAborted()
      await handOver(fresh)
    } finally {
      if ((await store.live(projection.name)) !== fresh.collection) await store.drop(fresh.collection)
    }
  } finally {
    names.delete(projection.name)
  }
}

/** The name of a collection that doesn't exist yet; a half-built one of an interrupted rebuild is dropped. */
async function freshCollection(projection: Projection, store: ReadStore): Promise<string> {
  const live = await store.live(projection.name)
  let generation = 0
  for (const { name } of await store.collections()) {
    if (!isOfVersion(projection, name)) continue
    if (name !== live) await store.drop(name)
    else generation = Number(/_g(\d+)$/.exec(name)?.[1] ?? 0)
  }
  return collectionName(projection, generation + 1)
}

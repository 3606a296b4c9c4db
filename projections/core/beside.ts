/** Builds a fresh collection beside the live one. Reads don't see it until the view is switched to it. */
import type { ReadStore } from '../read-store/port.ts'
import { Feed, type FeedPorts, type Passing } from './feed.ts'
import { collectionName, isOfVersion, type Projection } from './projection.ts'

/** The projections being built, by store: two concurrent builders would drop each other's collection. */
const underWay = new WeakMap<ReadStore, Set<string>>()

/** A second rebuild of a projection while the first one is still running. */
export class RebuildUnderWay extends Error {
  override readonly name = 'RebuildUnderWay'
}

/**
 * Fills a new generation up to the log's end, adds its indexes and hands it over.
 * If `handOver` has not switched the view to it, it is dropped and the live one stays unchanged.
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

/** A collection name that isn't in use; drops what an interrupted rebuild left half-built. */
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

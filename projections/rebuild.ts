/**
 * Rebuilds a projection that no projector of this process runs: fills a new collection beside the live one, then
 * switches.
 */
import type { EventStore } from '../domain/event-store/port.ts'
import { buildBeside } from './core/beside.ts'
import type { Feed, Passing } from './core/feed.ts'
import { isOfVersion, type Projection } from './core/projection.ts'
import type { ReadStore } from './read-store/port.ts'

/**
 * If killed or aborted, the live documents stay unchanged, and the next rebuild starts afresh.
 * A projector of another process may be running: it notices the switch when its collection is gone.
 * A projector of this process rebuilds its own (`Runner#rebuild`).
 * @throws RebuildUnderWay, FailedEvent
 */
export async function rebuildProjection(
  projection: Projection,
  events: EventStore,
  store: ReadStore,
  passing: Omit<Passing, 'until'> = {},
): Promise<void> {
  const { name } = projection
  const live = await store.live(name)
  let built: Feed | null = null
  await buildBeside(projection, { events, store }, passing, async (fresh) => {
    await fresh.catchUp(passing)
    await store.swap(name, fresh.collection)
    built = fresh
  })
  // An older version's documents stay until they are pruned, for a possible rollback.
  if (live !== null && isOfVersion(projection, live)) await store.retire(live)
  // Adds the events that another process's projector still wrote to the dropped collection; its next write fails, and
  // it continues with this one.
  await (built as Feed | null)?.catchUp()
}

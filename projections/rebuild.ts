/** A projection that nobody runs, rebuilt: filled anew beside the live one, then switched to. */
import type { EventStore } from '../domain/event-store/port.ts'
import { buildBeside } from './core/beside.ts'
import type { Passing } from './core/feed.ts'
import { isOfVersion, type Projection } from './core/projection.ts'
import type { ReadStore } from './read-store/port.ts'

/**
 * Killed or aborted at any point, the live documents stay as they are, and the next rebuild starts afresh.
 * A running projector rebuilds its own (`Runner#rebuild`): it would not hear of this switch.
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
  await buildBeside(projection, { events, store }, passing, (fresh) => store.swap(name, fresh.collection))
  // An older version's documents stay until they are pruned, in case that version comes back.
  if (live !== null && isOfVersion(projection, live)) await store.drop(live)
}

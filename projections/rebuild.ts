/** A projection that nobody runs, rebuilt: filled anew beside the live one, then switched to. */
import type { EventStore } from '../domain/event-store/port.ts'
import { buildBeside } from './core/beside.ts'
import type { Feed, Passing } from './core/feed.ts'
import { isOfVersion, type Projection } from './core/projection.ts'
import type { ReadStore } from './read-store/port.ts'

/**
 * Killed or aborted at any point, the live documents stay as they are, and the next rebuild starts afresh.
 * A projector of another process may run: it hears of the switch when the documents that it feeds are gone.
 * One of this process rebuilds its own (`Runner#rebuild`).
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
  // An older version's documents stay until they are pruned, in case that version comes back.
  if (live !== null && isOfVersion(projection, live)) await store.drop(live)
  // What another process's projector still took into the dropped one; from now on its writes fail, and it goes on with this one.
  await (built as Feed | null)?.catchUp()
}

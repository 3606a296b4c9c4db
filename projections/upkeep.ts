/** The status of the views, and the pruning of unused collections. */
import type { Position } from '../domain/core/event.ts'
import { yieldToEventLoop } from '../domain/event-store/yield-to-event-loop.ts'
import { events as catalogue } from '../domain/event-store/catalogue.ts'
import type { EventStore } from '../domain/event-store/port.ts'
import { collectionName, isOfVersion, type Projection } from './core/projection.ts'
import type { ReadStore } from './read-store/port.ts'

export interface ProjectionStatus {
  readonly name: string
  readonly version: number
  /** The collection that serves reads; null before the first one exists. */
  readonly live: string | null
  /** False while another version's collection, or none, serves reads. */
  readonly isOfVersion: boolean
  readonly position: Position | null
  /** Events that are not in the live collection yet. */
  readonly lag: number
  readonly documents: number
}

export async function statusOf(
  projections: readonly Projection[],
  events: EventStore,
  store: ReadStore,
): Promise<ProjectionStatus[]> {
  const statuses: ProjectionStatus[] = []
  for (const { name, version, types } of projections) {
    const live = await store.live(name)
    const position = live === null ? null : await store.checkpoint(live)
    const documents = live === null ? 0 : await store.count(live)
    const lag = await events.count(position, { names: catalogue.namesOf(types) })
    statuses.push({
      name,
      version,
      live,
      isOfVersion: live !== null && isOfVersion({ name, version }, live),
      position,
      lag,
      documents,
    })
    // Each count blocks the server's only thread.
    await yieldToEventLoop()
  }
  return statuses
}

export interface Pruned {
  readonly dropped: readonly string[]
  readonly tombstones: number
}

/**
 * Drops every collection that no running code names: other versions, interrupted rebuilds, removed projections.
 * Forgets tombstones up to the checkpoint: no replay goes back behind it.
 */
export async function prune(projections: readonly Projection[], store: ReadStore): Promise<Pruned> {
  const kept = new Set<string>()
  for (const projection of projections) {
    const live = await store.live(projection.name)
    if (live !== null) kept.add(live)
    // A version that is being built for the first time continues at its checkpoint.
    if (live === null || !isOfVersion(projection, live)) kept.add(collectionName(projection))
  }
  const dropped: string[] = []
  let tombstones = 0
  for (const { name, checkpoint } of await store.collections()) {
    if (!kept.has(name)) {
      await store.drop(name)
      dropped.push(name)
    } else if (checkpoint !== null) {
      tombstones += await store.prune(name, checkpoint)
    }
  }
  return { dropped, tombstones }
}

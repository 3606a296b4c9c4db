/** Detects views that are ahead of the log: an older log was restored, or the views belong to another log. */
import type { EventStore } from '../../domain/event-store/port.ts'
import type { ReadStore } from '../read-store/port.ts'
import { collectionName, type Projection } from './projection.ts'

interface Ports {
  readonly events: Pick<EventStore, 'end'>
  readonly store: ReadStore
}

/**
 * The names of the projections whose checkpoint is beyond the log's end. Must run before anything is appended: once the
 * log has grown as far again, the mismatch is undetectable.
 */
export async function aheadOfLog(
  projections: readonly Projection[],
  { events, store }: Ports,
): Promise<readonly string[]> {
  const reached = await Promise.all(
    projections.map(async (projection) => {
      const { name } = projection
      const collections = new Set([collectionName(projection), (await store.live(name)) ?? collectionName(projection)])
      const checkpoints = await Promise.all([...collections].map((collection) => store.checkpoint(collection)))
      return { name, position: checkpoints.reduce((a, b) => ((b ?? '') > (a ?? '') ? b : a), null) }
    }),
  )
  // Read after the checkpoints: otherwise events appended in between would make views look ahead.
  const end = await events.end()
  return reached.filter(({ position }) => position !== null && position > (end ?? '')).map(({ name }) => name)
}

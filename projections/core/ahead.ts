/** Views that have what the log has not: an older log was restored beside them, or they are of another log. */
import type { EventStore } from '../../domain/event-store/port.ts'
import type { ReadStore } from '../read-store/port.ts'
import { collectionName, type Projection } from './projection.ts'

interface Ports {
  readonly events: Pick<EventStore, 'head'>
  readonly store: ReadStore
}

/**
 * The names of the projections whose documents are beyond the log's end. To be asked before anything is appended:
 * a log that has grown as far again tells no difference any more.
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
  // After the checkpoints: what is appended meanwhile must not look as if they were ahead.
  const head = await events.head()
  return reached.filter(({ position }) => position !== null && position > (head ?? '')).map(({ name }) => name)
}

/** Stores with posts, and all their views. */
import { submitted, written } from '../../../../domain/post/test/examples.ts'
import { Projector } from '../../../../projections/core/projector.ts'
import type { TestStores } from '../../../../projections/core/test/helpers.ts'
import { projections } from '../../../../projections/registry.ts'

export async function fillWithPosts(on: TestStores, count: number): Promise<void> {
  for (let done = 0; done < count; done += 500) {
    await Promise.all(Array.from({ length: 500 }, (_, i) => on.log.write(`post-p${done + i}`, written, submitted)))
  }
  const projector = new Projector(projections, { events: on.events, store: on.store, onError: () => {} })
  await projector.start()
  await projector.stop()
}

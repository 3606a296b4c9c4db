/** A projector whose collection another process replaces: by a rebuild, while it was paused or its store was slow. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { around } from '../../domain/test/around.ts'
import { patience } from '../../domain/test/patience.ts'
import { submitted, written } from '../../domain/post/test/examples.ts'
import { rebuildProjection } from '../rebuild.ts'
import { Runner } from './runner.ts'
import { tallyProjection, temporaryStores, type TestStores } from './test/helpers.ts'

const tally = tallyProjection()
let on: TestStores
let runner: Runner
beforeEach(async () => {
  on = await temporaryStores()
})
afterEach(async () => {
  await runner.stop()
  await on.remove()
})

/** A runner whose first call of this name waits until it is let go on. */
async function pausedAt(name: 'write' | 'swap'): Promise<{ readonly goOn: () => void }> {
  let goOn = () => {}
  const going = new Promise<void>((resolve) => (goOn = resolve))
  const reached = new Promise<void>((resolve) => {
    const store = around(on.store, async (asked, call) => {
      if (asked === name) {
        resolve()
        await going
      }
      return call()
    })
    runner = new Runner(tally, { events: on.events, store, onSwitch: () => undefined, onError: () => undefined })
    void runner.start()
  })
  await reached
  return { goOn }
}

const shown = async () => on.store.get((await on.store.live('tally')) ?? '', 'all')

describe('A projector that builds a view for the first time', () => {
  it.each(['write', 'swap'] as const)(
    'continues with the collection of a rebuild that dropped its own before its %s',
    async (name) => {
      await on.log.write('post-a', written, submitted)
      const { goOn } = await pausedAt(name)
      await rebuildProjection(tally, on.events, on.store)
      goOn()
      await expect.poll(() => runner.health.state, patience).toBe('live')
      await on.log.write('post-b', written)
      await expect.poll(shown, patience).toMatchObject({ written: 2, submitted: 1 })
      expect(await on.store.live('tally')).toBe('tally_v1_g1')
      expect(runner.health).toMatchObject({ state: 'live', error: null })
    },
  )
})

/**
 * Views whose store fails at any command, before or after it took effect.
 *
 * @module-tag sampled
 */
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { around } from '../../domain/test/around.ts'
import { StoreUnavailable } from '../../domain/event-store/port.ts'
import { submitted, written } from '../../domain/post/test/examples.ts'
import { patience } from '../../domain/test/patience.ts'
import { sample } from '../../domain/test/sample.ts'
import type { ReadStore } from '../read-store/port.ts'
import { rebuildProjection } from '../rebuild.ts'
import { verifyProjection } from '../verify.ts'
import { Runner } from './runner.ts'
import { tallyProjection, temporaryStores } from './test/helpers.ts'

const runs = sample('FAULT_RUNS', { test: 8, long: 100 })
const tally = tallyProjection({ keys: ({ stream }) => [stream, 'all'] })

interface Fault {
  readonly command: number
  readonly when: 'before' | 'after'
}

/** The store as one process reaches it: its commands of these numbers fail. */
function failing(store: ReadStore, faults: readonly Fault[]): ReadStore {
  let command = 0
  return around(store, async (_, call) => {
    const number = command++
    const fault = faults.find((each) => each.command === number)
    if (fault?.when === 'before') throw new StoreUnavailable('The store is away')
    const answer = await call()
    if (fault) throw new StoreUnavailable('The answer was lost')
    return answer
  })
}

const faults = (commands: number) =>
  fc.uniqueArray(fc.record({ command: fc.nat(commands), when: fc.constantFrom('before', 'after') }), {
    maxLength: 3,
    selector: ({ command }) => command,
  }) as fc.Arbitrary<Fault[]>

it('A view matches the log in the end, whichever commands of its projector and of a rebuild fail', async () => {
  await fc.assert(
    fc.asyncProperty(faults(20), faults(12), fc.nat(3), async (ofProjector, ofRebuild, before) => {
      const on = await temporaryStores()
      const post = (n: number) => on.log.write(`post-${n}`, written, submitted)
      const store = failing(on.store, ofProjector)
      const begin = () => {
        const begun = new Runner(tally, {
          events: on.events,
          store,
          onSwitch: () => undefined,
          onError: () => undefined,
        })
        return { begun, started: begun.start() }
      }
      for (let n = 0; n < before; n++) await post(n)
      let { begun: runner, started } = begin()
      try {
        await post(10)
        await started
        await post(11)
        const rebuilding = rebuildProjection(tally, on.events, failing(on.store, ofRebuild)).catch(() => undefined)
        await post(12)
        await rebuilding
        await post(13)
        const isCaughtUp = async () => {
          const live = await on.store.live('tally')
          // As a shared projector does at intervals.
          if (live !== null && runner.isReplacedBy(live)) {
            await runner.stop()
            ;({ begun: runner, started } = begin())
          }
          return live === null ? null : on.store.get(live, 'all')
        }
        const all = before + 4
        await expect.poll(isCaughtUp, patience).toMatchObject({ written: all, submitted: all })
        await expect.poll(() => runner.health.state, patience).toBe('live')
        expect(await verifyProjection(tally, on.events, on.store)).toEqual([])
      } finally {
        await runner.stop()
        await on.remove()
      }
    }),
    { numRuns: runs },
  )
}, 600_000)

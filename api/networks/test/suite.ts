/** The contract of every network behind the port: here tested with the sandbox, with injectable faults. */
import { afterEach, beforeAll, beforeEach, describe } from 'vitest'
import { textLength } from '../../../domain/core/text-limits.ts'
import { MovableClock } from '../../core/clock.ts'
import { connectingContract } from './connecting.suite.ts'
import { lookingUpContract } from './looking-up.suite.ts'
import { oddText, publishingContract } from './publishing.suite.ts'
import { readingContract } from './reading.suite.ts'
import { stageOf, type Opened, type Stage, type Traits } from './helpers.ts'

/** @param open starts a separate network for each test, on that clock */
export function networkContract(traits: Traits, open: (clock: MovableClock) => Promise<Opened>): void {
  describe(`${traits.platform} as a network`, () => {
    let current: Stage | undefined
    // The first count compiles a long expression, which would look like a network timeout.
    beforeAll(() => {
      for (let count = 0; count < 3; count++) textLength(traits.platform, oddText)
    })
    beforeEach(async () => {
      const clock = new MovableClock('2026-03-02T10:00:00.000Z')
      current = stageOf(await open(clock), clock, traits)
    })
    afterEach(() => current?.opened.close())
    const stage = () => {
      if (!current) throw new Error('Nothing is open')
      return current
    }
    connectingContract(traits, stage)
    publishingContract(traits, stage)
    lookingUpContract(stage)
    readingContract(traits, stage)
  })
}

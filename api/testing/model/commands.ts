/**
 * The actions as fast-check runs and shrinks them: after each, the answer and all that is seen are as the model says.
 */
import type * as fc from 'fast-check'
import { expect } from 'vitest'
import { resolved, type Drawn } from './actions.ts'
import type { Real } from './real.ts'
import { expectedOutcome } from './rules.ts'
import { seenBy, sides, type World } from './world.ts'

/** fast-check hands one object on, whose world changes. */
export interface Model {
  world: World
  steps: number
  /** Days that were waited for: sessions last for fourteen. */
  waited: number
}

const maxDays = 12

export class Step implements fc.AsyncCommand<Model, Real> {
  constructor(
    readonly drawn: Drawn,
    readonly counted: () => void,
  ) {}

  check({ waited }: Readonly<Model>): boolean {
    return this.drawn.kind !== 'wait' || waited + this.drawn.days <= maxDays
  }

  async run(model: Model, real: Real): Promise<void> {
    const key = `${this.drawn.kind}${model.steps}`
    const action = resolved(this.drawn, model.world)
    const now = real.now()
    const expected = expectedOutcome(model.world, action, key, now)
    const found = await real.act(action, key, now)
    this.counted()
    expect({ action, ...found }).toEqual({
      action,
      status: expected.status,
      ...(expected.thing === undefined ? {} : { thing: expected.thing }),
    })
    model.world = expected.world
    model.steps += 1
    if (action.kind === 'wait') {
      model.waited += action.days
      await real.settled(model.world)
    }
    for (const side of sides)
      expect({ action, side, ...(await real.seen(side)) }).toEqual({
        action,
        side,
        ...seenBy(model.world, side, real.now()),
      })
  }

  toString(): string {
    return JSON.stringify(this.drawn)
  }
}

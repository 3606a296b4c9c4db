/** Whether some sequential order explains the outcome of concurrent actions. */
import { isDeepStrictEqual } from 'node:util'
import type { Action } from './actions.ts'
import { expectedOutcome } from './rules.ts'
import { seenBy, sides, type Seen, type World } from './world.ts'

export interface Outcome {
  readonly action: Action
  readonly key: string
  readonly status: number
  readonly thing?: string
}

export function* ordersOf<T>(items: readonly T[]): Generator<readonly T[]> {
  if (items.length < 2) yield items
  else
    for (const [index, first] of items.entries())
      for (const rest of ordersOf(items.toSpliced(index, 1))) yield [first, ...rest]
}

/** The world after such an order; null when there is none. */
export function explained(
  world: World,
  outcomes: readonly Outcome[],
  seen: Readonly<Record<'a' | 'b', Seen>>,
  now: number,
): World | null {
  for (const order of ordersOf(outcomes)) {
    const after = worldAfter(world, order, now)
    if (after && sides.every((side) => isDeepStrictEqual(seenBy(after, side, now), seen[side]))) return after
  }
  return null
}

function worldAfter(world: World, order: readonly Outcome[], now: number): World | null {
  let after = world
  // A thing made once under one key is named after the first answer.
  for (const { action, key, status, thing } of order) {
    const next = expectedOutcome(after, action, thing ?? key, now)
    if (
      !(next.status === status || isGoneAndChanged(after, action, next.status, status)) ||
      (next.thing !== undefined && next.thing !== thing)
    )
      return null
    after = next.world
  }
  return after
}

/**
 * A post that goes while what was read of it is compared is gone, and is also another than was read: either may be
 * told.
 */
const isGoneAndChanged = ({ posts }: World, action: Action, expected: number, found: number): boolean =>
  expected === 404 && found === 412 && 'match' in action && action.match !== null && action.post in posts

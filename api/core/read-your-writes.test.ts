import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { inTurn, type WaitFor } from './read-your-writes.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A reader that has the events after this long. */
const hasAfter =
  (ms: number): WaitFor =>
  (_, timeoutMs) =>
    new Promise((resolve) => setTimeout(() => resolve(ms <= timeoutMs), Math.min(ms, timeoutMs)))

it.each([
  [100, 200, true, 300],
  [1_900, 1_900, false, 2_000],
  [5_000, 100, false, 2_000],
])('A wait of %i ms and then %i ms within 2 s answers %s after %i ms', async (one, other, expected, tookMs) => {
  const waiting = inTurn(hasAfter(one), hasAfter(other))([], 2_000).then((isThere) => [isThere, performance.now()])
  const began = performance.now()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await waiting).toEqual([expected, began + tookMs])
})

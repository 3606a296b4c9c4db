import { afterEach, expect, it, vi } from 'vitest'
import { UsedIds } from '../core/used-ids.ts'
import { clientDecider } from './decider.ts'
import type { ClientEvent } from './events.ts'
import type { Client } from './state.ts'
import { accountId, added, context, rules } from './test/examples.ts'

afterEach(() => vi.restoreAllMocks())

const pair = (scheduleId: string): readonly ClientEvent[] => [
  { type: 'PostingScheduleAdded', data: { scheduleId, accountId, ...rules } },
  { type: 'PostingScheduleRemoved', data: { scheduleId, accountId } },
]
const fold = (from: Client, events: readonly ClientEvent[]) => events.reduce(clientDecider.evolve, from)

it('20,000 removed schedules fold without a copy of those before', { tags: 'long' }, () => {
  const copied = vi.spyOn(UsedIds.prototype, Symbol.iterator)
  const earlier: Client[] = []
  let client = fold(clientDecider.initial, [added])
  for (let at = 0; at < 20_000; at++) {
    client = fold(client, pair(`schedule-${at}`))
    if (at % 5_000 === 0) earlier.push(client)
  }
  // The first one starts the list of this client.
  expect(copied.mock.calls.length).toBeLessThanOrEqual(1)
  expect(client.removedSchedules.size).toBe(20_000)
  expect(earlier.map(({ removedSchedules }) => removedSchedules.size)).toEqual([1, 5_001, 10_001, 15_001])
  expect(earlier[1]?.removedSchedules.has('schedule-5001')).toBe(false)
  const again = { type: 'AddPostingSchedule', scheduleId: 'schedule-19999', accountId, ...rules } as const
  expect(clientDecider.decide(client, again, context)).toEqual({ refused: { reason: 'id-taken' } })
})

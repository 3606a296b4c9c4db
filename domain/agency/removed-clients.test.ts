import { afterEach, expect, it, vi } from 'vitest'
import { UsedIds } from '../core/used-ids.ts'
import { agencyDecider } from './decider.ts'
import type { AgencyEvent } from './events.ts'
import { now, opened, profile, trialStarted } from './test/examples.ts'

afterEach(() => vi.restoreAllMocks())

const pair = (clientId: string): readonly AgencyEvent[] => [
  { type: 'ClientAdded', data: { clientId, profile } },
  { type: 'ClientRemoved', data: { clientId, name: profile.name } },
]

it('20,000 removed clients fold without a copy of those before', { tags: 'long' }, () => {
  const copied = vi.spyOn(UsedIds.prototype, Symbol.iterator)
  let agency = [opened, trialStarted].reduce(agencyDecider.evolve, agencyDecider.initial)
  for (let at = 0; at < 20_000; at++) agency = pair(`client-${at}`).reduce(agencyDecider.evolve, agency)
  // The first one starts the list of this agency.
  expect(copied.mock.calls.length).toBeLessThanOrEqual(1)
  expect(agency.removed.size).toBe(20_000)
  const again = { type: 'AddClient', clientId: 'client-19999', profile } as const
  expect(agencyDecider.decide(agency, again, { now })).toEqual({ refused: { reason: 'made-and-deleted' } })
})

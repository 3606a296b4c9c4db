import { expect, it } from 'vitest'
import { StillClock } from '../test/helpers.ts'
import { plannerDefaults } from './config.ts'
import { Backoff } from './backoff.ts'

const minute = 60_000
const begin = () => {
  const clock = new StillClock('2026-03-02T08:00:00.000Z')
  return { clock, backoff: new Backoff(clock, plannerDefaults, 200) }
}

it('A slot backs off longer after each failure; its agency’s other slots back off briefly', () => {
  const { clock, backoff } = begin()
  for (const backoffMs of [minute, 2 * minute, 4 * minute]) {
    backoff.failed('agency', 'slot', null)
    expect(backoff.until('agency', 'other')).not.toBeNull()
    clock.advance(backoffMs - 1)
    expect(backoff.until('agency', 'slot')).not.toBeNull()
    expect(backoff.until('agency', 'other')).toBeNull()
    clock.advance(1)
    expect(backoff.until('agency', 'slot')).toBeNull()
  }
})

it('A backoff is at most six hours', () => {
  const { clock, backoff } = begin()
  for (let failures = 0; failures < 40; failures++) backoff.failed('agency', 'slot', null)
  clock.advance(6 * 60 * minute)
  expect(backoff.until('agency', 'slot')).toBeNull()
})

it('An agency backs off for as long as the writer asks', () => {
  const { clock, backoff } = begin()
  backoff.failed('agency', 'slot', 60 * minute)
  clock.advance(60 * minute - 1)
  expect(backoff.until('agency', 'other')).not.toBeNull()
  expect(backoff.until('neighbour', 'third')).toBeNull()
})

it('A failure from before a restart backs off once, unless a user has asked for a retry', () => {
  const { backoff } = begin()
  backoff.inherit('slot')
  expect(backoff.until('agency', 'slot')).not.toBeNull()
  backoff.done('agency', 'slot')
  // The stale read: the view did not show the user's retry yet.
  backoff.inherit('slot')
  expect(backoff.until('agency', 'slot')).toBeNull()
})

it('Slots that have passed are forgotten, however many there were', () => {
  const { clock, backoff } = begin()
  for (let slot = 0; slot < 30; slot++) {
    clock.advance(60 * minute)
    backoff.failed('agency', `failed ${slot}`, null)
    backoff.done('agency', `done ${slot}`)
  }
  clock.advance(24 * 60 * minute)
  backoff.done('agency', 'last')
  expect(backoff.size).toBe(1)
  for (let slot = 0; slot < 700; slot++) backoff.failed(`agency ${slot}`, `slot ${slot}`, null)
  expect(backoff.size).toBeLessThanOrEqual(600)
  expect(backoff.until('agency 699', 'slot 699')).not.toBeNull()
})

it('A slot that keeps failing backs off longer each time, although the view shows its first failure', () => {
  const { clock, backoff } = begin()
  for (let failures = 0; failures < 12; failures++) {
    backoff.failed('agency', 'slot', null)
    clock.advance(6 * 60 * minute)
    backoff.inherit('slot')
  }
  backoff.failed('agency', 'slot', null)
  clock.advance(6 * 60 * minute - 1)
  expect(backoff.until('agency', 'slot')).not.toBeNull()
})

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { InFlightLimit, type Reservation } from './in-flight-limit.ts'

const bounds = { maxCount: 3, maxBytes: 100, maxCountPerSource: 2, maxBytesPerSource: 60 }

describe('An in-flight limit', () => {
  it('refuses a source at its maximum number, and accepts another source', () => {
    const limit = new InFlightLimit(bounds)
    limit.reserve('a', 1)
    limit.reserve('a', 1)
    expect(limit.reserve('a', 1)).toBe('source')
    expect(limit.reserve('b', 1)).toMatchObject({ release: expect.any(Function) })
    expect(limit.reserve('c', 1)).toBe('total')
  })
  it('refuses bytes over the limit of the source, and over the total limit', () => {
    const limit = new InFlightLimit(bounds)
    limit.reserve('a', 60)
    expect(limit.reserve('a', 1)).toBe('source')
    expect(limit.reserve('b', 41)).toBe('total')
    expect(limit.reserve('b', 40)).toMatchObject({ release: expect.any(Function) })
  })
  it('frees a released reservation exactly once', () => {
    const limit = new InFlightLimit(bounds)
    const held = limit.reserve('a', 60)
    if (typeof held === 'string') throw new Error(held)
    held.release()
    held.release()
    expect(limit.total).toEqual({ count: 0, bytes: 0 })
    expect(limit.reserve('a', 60)).toMatchObject({ release: expect.any(Function) })
  })
  it('never exceeds its limits, in any order of reservations and releases', () => {
    const steps = fc.array(
      fc.record({ source: fc.constantFrom('a', 'b', 'c'), bytes: fc.nat(70), release: fc.nat(5) }),
      { maxLength: 60 },
    )
    fc.assert(
      fc.property(steps, (all) => {
        const limit = new InFlightLimit(bounds)
        const held: { readonly source: string; readonly bytes: number; readonly reservation: Reservation }[] = []
        for (const { source, bytes, release } of all) {
          const reservation = limit.reserve(source, bytes)
          if (typeof reservation !== 'string') held.push({ source, bytes, reservation })
          for (const each of held.splice(0, release > 3 ? 1 : 0)) each.reservation.release()
          const sum = (of: typeof held) => of.reduce((total, one) => total + one.bytes, 0)
          expect(limit.total).toEqual({ count: held.length, bytes: sum(held) })
          expect(held.length).toBeLessThanOrEqual(bounds.maxCount)
          expect(sum(held)).toBeLessThanOrEqual(bounds.maxBytes)
          for (const name of ['a', 'b', 'c']) {
            const own = held.filter((one) => one.source === name)
            expect(own.length).toBeLessThanOrEqual(bounds.maxCountPerSource)
            expect(sum(own)).toBeLessThanOrEqual(bounds.maxBytesPerSource)
          }
        }
      }),
    )
  })
})

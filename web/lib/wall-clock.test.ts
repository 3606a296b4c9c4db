import { describe, expect, it } from 'vitest'
import { instantAt, instantOfField, sameClockOn } from './wall-clock.ts'

describe('a wall clock in the agency’s zone', () => {
  it('keeps the time of day across the change to summer time [2.101]', async () => {
    expect(await sameClockOn('2025-03-10', '2025-03-07T14:00:00.000Z', 'America/New_York')).toBe(
      '2025-03-10T13:00:00.000Z',
    )
  })

  it('moves a time inside the spring gap to the first instant after the gap', async () => {
    expect(await instantAt('2025-03-09', '02:30', 'America/New_York')).toBe('2025-03-09T07:00:00.000Z')
  })

  it('uses the first of two instants in the autumn overlap', async () => {
    expect(await instantAt('2025-11-02', '01:30', 'America/New_York')).toBe('2025-11-02T05:30:00.000Z')
  })

  it('reads a date and time field', async () => {
    expect(await instantOfField('2025-01-05T15:00', 'Asia/Kolkata')).toBe('2025-01-05T09:30:00.000Z')
  })
})

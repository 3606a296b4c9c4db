import { describe, expect, it } from 'vitest'
import { clockKey, dayKey, fieldValue, formatDateTime, formatMonth, zoneLabel } from './dates.ts'
import { shiftMonth, weeksOf } from './month.ts'

describe("dates in the agency's time zone", () => {
  it('are formatted as in the specification [2.103]', () => {
    expect(formatDateTime('2025-01-05T15:00:00.000Z', 'UTC')).toBe('Jan 5, 2025 at 3:00 PM')
  })

  it('have the day and the clock time of the zone', () => {
    expect(dayKey('2025-01-05T03:00:00.000Z', 'America/New_York')).toBe('2025-01-04')
    expect(clockKey('2025-01-05T05:00:00.000Z', 'America/New_York')).toBe('00:00')
    expect(fieldValue('2025-01-05T15:00:00.000Z', 'Europe/Berlin')).toBe('2025-01-05T16:00')
  })
})

describe('a month of the calendar', () => {
  it('starts its weeks on Sunday and covers every day [9.17]', () => {
    const weeks = weeksOf('2025-03')
    expect(weeks[0]?.[0]).toBe('2025-02-23')
    expect(weeks.at(-1)?.[6]).toBe('2025-04-05')
  })

  it('has four rows when February fits exactly', () => {
    expect(weeksOf('2026-02')).toHaveLength(4)
  })

  it('is followed by January of the next year after December', () => {
    expect(shiftMonth('2025-12', 1)).toBe('2026-01')
    expect(formatMonth('2026-01')).toBe('January 2026')
  })
})

it("a zone's label has the offset of the date shown [P15.2]", () => {
  expect(zoneLabel('Europe/Paris', '2030-01-05T10:00:00.000Z')).toBe('Paris, GMT+1')
  expect(zoneLabel('Europe/Paris', '2030-07-05T10:00')).toBe('Paris, GMT+2')
  expect(zoneLabel('Europe/Paris', '')).toMatch(/^Paris, GMT\+[12]$/)
})

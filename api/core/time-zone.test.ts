import { Temporal } from 'temporal-polyfill'
import { describe, expect, it } from 'vitest'
import { monthSpan, nextMorning, wallClock, weekSpan } from './time-zone.ts'

const day = (text: string) => Temporal.PlainDate.from(text)

describe('wall-clock times', () => {
  it.each([
    ['09:00 in winter', '2026-01-05', '09:00', 'Europe/Berlin', '2026-01-05T08:00:00.000Z'],
    ['09:00 in summer', '2026-07-06', '09:00', 'Europe/Berlin', '2026-07-06T07:00:00.000Z'],
    [
      'a time inside the spring gap: the first instant after it',
      '2026-03-29',
      '02:30',
      'Europe/Berlin',
      '2026-03-29T01:00:00.000Z',
    ],
    ["the spring gap's own first time", '2026-03-29', '02:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
    ['an autumn overlap: the first of the two', '2026-10-25', '02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
    ['a gap of half an hour', '2026-10-04', '02:15', 'Australia/Lord_Howe', '2026-10-03T15:30:00.000Z'],
    ['New York, spring', '2026-03-08', '02:30', 'America/New_York', '2026-03-08T07:00:00.000Z'],
  ])('%s', (_, date, time, zone, instant) => {
    expect(wallClock(day(date), time, zone)).toBe(instant)
  })
  it('tomorrow at nine, across a clock change', () => {
    expect(nextMorning('2026-03-28T22:00:00.000Z', 'Europe/Berlin')).toBe('2026-03-29T07:00:00.000Z')
  })
})

describe('spans', () => {
  it("a month is the zone's month", () => {
    expect(monthSpan('2026-03', 'Europe/Berlin')).toEqual({
      from: '2026-02-28T23:00:00.000Z',
      to: '2026-03-31T22:00:00.000Z',
    })
  })
  it('a week starts on Sunday', () => {
    expect(weekSpan('2026-03-04T12:00:00.000Z', 'UTC')).toEqual({
      from: '2026-03-01T00:00:00.000Z',
      to: '2026-03-08T00:00:00.000Z',
    })
    expect(weekSpan('2026-03-01T00:00:00.000Z', 'UTC').from).toBe('2026-03-01T00:00:00.000Z')
  })
})

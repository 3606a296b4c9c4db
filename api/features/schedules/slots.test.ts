import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Temporal } from 'temporal-polyfill'
import { frequencies, type ScheduleRules } from '../../../domain/client/commands.ts'
import { weekOf } from '../../contract/week.ts'
import { later } from '../../core/clock.ts'
import { wallClock } from '../../core/time-zone.ts'
import { slotsOf, slotsWithin, topicOf } from './slots.ts'
import { anyRules, zones } from './test/helpers.ts'

const monday = '2026-03-02T08:00:00.000Z'
const rules: ScheduleRules = {
  frequency: 'custom',
  postsPerWeek: 3,
  preferredTimes: [{ day: 'every', time: '09:00' }],
  contentTopics: [],
}
const times = (given: Partial<ScheduleRules>, count = 7, zone = 'UTC', from = monday) =>
  [...slotsOf({ ...rules, ...given }, from, zone)].slice(0, count).map(({ at }) => at)

describe('The slots of a schedule', () => {
  it('come in order, each once, and never in the past', () => {
    const preferredTimes = [
      { day: 1, time: '09:00' },
      { day: 'every', time: '18:00' },
      { day: 1, time: '18:00' },
    ] as const
    expect(times({ preferredTimes: [...preferredTimes] }, 3, 'Europe/Berlin')).toEqual([
      '2026-03-02T17:00:00.000Z',
      '2026-03-03T17:00:00.000Z',
      '2026-03-04T17:00:00.000Z',
    ])
  })
  it('come every day for a daily schedule, whatever day a time names', () => {
    expect(times({ frequency: 'daily', preferredTimes: [{ day: 3, time: '09:00' }] }, 3)).toEqual([
      '2026-03-02T09:00:00.000Z',
      '2026-03-03T09:00:00.000Z',
      '2026-03-04T09:00:00.000Z',
    ])
  })
  it('are as many as a weekly schedule asks for, spread over its times', () => {
    const week = weekOf({ ...rules, frequency: 'weekly', postsPerWeek: 3 })
    expect(week.map(({ day }) => day)).toEqual([0, 2, 4])
  })
  it('are all times of a weekly schedule that has fewer than it asks for', () => {
    const preferredTimes = [
      { day: 1, time: '09:00' },
      { day: 4, time: '09:00' },
    ] as const
    expect(weekOf({ frequency: 'weekly', postsPerWeek: 5, preferredTimes: [...preferredTimes] })).toHaveLength(2)
  })
  it('keep their wall-clock time across a clock change', () => {
    expect(times({}, 3, 'Europe/Berlin', '2026-03-27T12:00:00.000Z')).toEqual([
      '2026-03-28T08:00:00.000Z',
      '2026-03-29T07:00:00.000Z',
      '2026-03-30T07:00:00.000Z',
    ])
  })
  it('move out of a spring gap once, and are marked as moved', () => {
    const night = {
      ...rules,
      preferredTimes: [
        { day: 'every' as const, time: '02:00' },
        { day: 'every' as const, time: '02:30' },
        { day: 'every' as const, time: '03:00' },
      ],
    }
    const sunday = slotsWithin(night, '2026-03-28T12:00:00.000Z', '2026-03-29T12:00:00.000Z', 'Europe/Berlin')
    expect(sunday).toMatchObject([{ at: '2026-03-29T01:00:00.000Z', isMoved: true }])
  })
  it('are used once in an autumn overlap, the first time', () => {
    expect(
      slotsWithin(
        { ...rules, preferredTimes: [{ day: 'every', time: '02:30' }] },
        '2026-10-24T12:00:00.000Z',
        '2026-10-25T12:00:00.000Z',
        'Europe/Berlin',
      ),
    ).toMatchObject([{ at: '2026-10-25T00:30:00.000Z', isMoved: false }])
  })
  it('take the topics in turn, across weeks too', () => {
    const three = { ...rules, contentTopics: ['a', 'b', 'c'] }
    const topics = [...slotsOf(three, monday, 'UTC')].slice(0, 15).map((slot) => topicOf(three, slot))
    expect(new Set([0, 1, 2].map((start) => topics.filter((_, index) => index % 3 === start).join('')))).toHaveLength(3)
    expect(topics.slice(0, 3).toSorted()).toEqual(['a', 'b', 'c'])
    expect(topics.slice(0, 3)).toEqual(topics.slice(12, 15))
  })
  it('ask for something new when there are no topics', () => {
    const [slot] = [...slotsOf(rules, monday, 'UTC')]
    expect(slot && topicOf(rules, slot)).toBe('regenerate')
  })
})

describe('In every zone', () => {
  const day = 86_400_000
  const start = fc.integer({ min: 0, max: 3 * 365 }).map((days) => later('2026-01-01T00:00:00.000Z', days * day))

  it('the slots are the same from any starting point', { tags: 'long' }, () => {
    fc.assert(
      fc.property(
        anyRules,
        fc.constantFrom(...zones),
        start,
        fc.integer({ min: 0, max: 10 * 24 }),
        (given, zone, from, hours) => {
          const to = later(from, 20 * day)
          const midway = later(from, hours * 3_600_000)
          const all = slotsWithin(given, from, to, zone)
          expect(slotsWithin(given, midway, to, zone)).toEqual(all.filter(({ at }) => at > midway))
        },
      ),
      { numRuns: 60 },
    )
  })

  it('a day has each of its times once, or the end of the gap that swallowed it', { tags: 'long' }, () => {
    fc.assert(
      fc.property(anyRules, fc.constantFrom(...zones), start, (given, zone, from) => {
        const slots = slotsWithin(given, from, later(from, 15 * day), zone)
        const week = weekOf(given)
        expect(new Set(slots.map(({ at }) => at)).size).toBe(slots.length)
        expect(new Set(slots.map(({ ordinal }) => ordinal)).size).toBe(slots.length)
        for (const { at, isMoved } of slots) {
          const there = Temporal.Instant.from(at).toZonedDateTimeISO(zone)
          const wanted = week.filter((each) => each.day === there.dayOfWeek % 7).map(({ time }) => time)
          const clock = there.toPlainTime().toString({ smallestUnit: 'minute' })
          if (!isMoved) expect(wanted).toContain(clock)
          // The end of a gap is where the clocks change.
          else
            expect(there.add({ nanoseconds: 1 }).getTimeZoneTransition('previous')?.epochMilliseconds).toBe(
              there.epochMilliseconds,
            )
        }
        const instants = new Set(slots.map(({ at }) => at))
        const first = Temporal.Instant.from(from).toZonedDateTimeISO(zone).toPlainDate()
        for (let ahead = 1; ahead < 14; ahead++) {
          const date = first.add({ days: ahead })
          for (const { time } of week.filter((each) => each.day === date.dayOfWeek % 7))
            expect(instants).toContain(wallClock(date, time, zone))
        }
      }),
      { numRuns: 60 },
    )
  })

  it('every kind of schedule is covered', () => {
    expect(new Set(fc.sample(anyRules, 200).map(({ frequency }) => frequency))).toEqual(new Set(frequencies))
  })
})

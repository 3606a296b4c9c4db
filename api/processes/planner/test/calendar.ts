/**
 * When a schedule posts, found by walking through every minute of the wall clock: independent of the planner's
 * algorithm.
 */
import type { ScheduleRules } from '../../../../domain/client/commands.ts'

interface Day {
  readonly weekday: number
  /** Every minute of the wall clock with its instant. */
  readonly minutes: { readonly clock: string; readonly at: string }[]
}

const minuteMs = 60_000
const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

export class Calendar {
  readonly #days = new Map<string, Day>()

  constructor(zone: string, from: string, to: string) {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      weekday: 'short',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    })
    for (let at = Date.parse(from); at <= Date.parse(to); at += minuteMs) {
      // `Tue, 03/10/2026, 09:15`
      const [weekday = '', date = '', clock = ''] = format.format(at).split(', ')
      const day = this.#days.get(date) ?? { weekday: weekdays.indexOf(weekday), minutes: [] }
      day.minutes.push({ clock, at: new Date(at).toISOString() })
      this.#days.set(date, day)
    }
  }

  /** The slots after `from`, up to `to`. */
  slots(rules: ScheduleRules, from: string, to: string): readonly string[] {
    const found = new Set<string>()
    for (const { weekday, minutes } of this.#days.values()) {
      for (const time of timesOn(rules, weekday)) {
        // The clock change skips this time: take the first minute after the gap.
        const minute = minutes.find(({ clock }) => clock === time) ?? minutes.find(({ clock }) => clock > time)
        if (minute && minute.at > from && minute.at <= to) found.add(minute.at)
      }
    }
    return [...found].sort()
  }
}

function timesOn({ frequency, postsPerWeek, preferredTimes }: ScheduleRules, weekday: number): readonly string[] {
  const week = weekdays.flatMap((_, day) => {
    const times = preferredTimes
      .filter((each) => frequency === 'daily' || each.day === 'every' || each.day === day)
      .map(({ time }) => time)
    return [...new Set(times)].sort().map((time) => ({ day, time }))
  })
  // Evenly spaced: with three of seven, the first, the third and the fifth.
  const isChosen = (index: number) =>
    Math.ceil((index * postsPerWeek) / week.length) < Math.ceil(((index + 1) * postsPerWeek) / week.length)
  const kept = frequency === 'weekly' && week.length > postsPerWeek ? week.filter((_, index) => isChosen(index)) : week
  return kept.filter(({ day }) => day === weekday).map(({ time }) => time)
}

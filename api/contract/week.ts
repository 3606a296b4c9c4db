/** Computes a schedule's week from its rules, for the server's planner and the web's preview. Browser-safe. */
import type { ScheduleRules } from '../../domain/client/commands.ts'

/** A wall-clock time of the week; Sunday is day 0. */
export interface WeekTime {
  readonly day: number
  readonly time: string
}

type Rules = Pick<ScheduleRules, 'frequency' | 'postsPerWeek' | 'preferredTimes'>

const weekdays = [0, 1, 2, 3, 4, 5, 6]

/** The weekly times of a schedule, in order, each once. */
export function weekOf({ frequency, postsPerWeek, preferredTimes }: Rules): readonly WeekTime[] {
  const times = weekdays.flatMap((day) => {
    const ofDay = preferredTimes.filter((each) => frequency === 'daily' || each.day === 'every' || each.day === day)
    return [...new Set(ofDay.map(({ time }) => time))].sort().map((time) => ({ day, time }))
  })
  return frequency === 'weekly' && times.length > postsPerWeek ? spread(times, postsPerWeek) : times
}

/** Picks a number of them, spread as evenly as possible. */
const spread = <T>(all: readonly T[], count: number): T[] =>
  Array.from({ length: count }, (_, index) => all[Math.floor((index * all.length) / count)]).filter(
    (each) => each !== undefined,
  )

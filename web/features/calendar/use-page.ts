/** The page of the calendar that is shown: its days and title, and the pages beside it. */
import { useMemo } from 'react'
import type { CalendarView } from '../../lib/calendar-choice.ts'
import { formatMonth, formatWeek } from '../../lib/dates.ts'
import { isMonth, monthOf, shiftDay, shiftMonth, sundayOf, weekFrom, weeksOf } from '../../lib/month.ts'
import type { CalendarSearch } from './search.ts'

type At = Pick<CalendarSearch, 'month' | 'day'>

export interface CalendarPage {
  readonly title: string
  /** Null for a week. */
  readonly month: string | null
  readonly weeks: readonly (readonly string[])[]
  /** Where a page lies in the address; null beyond the years that are shown. */
  readonly beside: (by: 1 | -1) => At | null
  /** The page of a view that has this one's days. */
  readonly as: (view: CalendarView) => At
  /** The page of the same view that has a day. */
  readonly having: (day: string) => At
}

const none: At = { month: undefined, day: undefined }

export const usePage = (view: CalendarView, { month, day }: CalendarSearch, today: string): CalendarPage =>
  useMemo(
    () => (view === 'week' ? weekPage(day, month, today) : monthPage(month, day, today)),
    [view, month, day, today],
  )

const atMonth = (month: string, today: string): At => (month === monthOf(today) ? none : { month, day: undefined })
const atWeek = (sunday: string, today: string): At =>
  sunday === sundayOf(today) ? none : { month: undefined, day: sunday }

function monthPage(asked: string | undefined, day: string | undefined, today: string): CalendarPage {
  const month = asked ?? monthOf(day ?? today)
  return {
    title: formatMonth(month),
    month,
    weeks: weeksOf(month),
    beside: (by) => (isMonth(shiftMonth(month, by)) ? atMonth(shiftMonth(month, by), today) : null),
    as: (view) => {
      if (view !== 'week') return atMonth(month, today)
      return month === monthOf(today) ? none : atWeek(sundayOf(`${month}-01`), today)
    },
    having: (other) => atMonth(monthOf(other), today),
  }
}

function weekPage(asked: string | undefined, month: string | undefined, today: string): CalendarPage {
  const ofMonth = month === undefined || month === monthOf(today) ? today : `${month}-01`
  const sunday = sundayOf(asked ?? ofMonth)
  const saturday = shiftDay(sunday, 6)
  return {
    title: formatWeek(sunday, saturday),
    month: null,
    weeks: [weekFrom(sunday)],
    beside: (by) => {
      const next = shiftDay(sunday, 7 * by)
      return isMonth(monthOf(next)) && isMonth(monthOf(shiftDay(next, 6))) ? atWeek(next, today) : null
    },
    as: (view) => {
      if (view === 'week') return atWeek(sunday, today)
      return sunday === sundayOf(today) ? none : atMonth(monthOf(shiftDay(sunday, 3)), today)
    },
    having: (other) => atWeek(sundayOf(other), today),
  }
}

import type { CalendarView } from '../../lib/calendar-choice.ts'

export interface CalendarSearch {
  readonly client?: string | undefined
  readonly month?: string | undefined
  /** A day of the week that is shown. */
  readonly day?: string | undefined
  /** Without it, the view that was chosen last. */
  readonly view?: CalendarView | undefined
}

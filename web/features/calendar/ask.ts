/** What the calendar asks the server for, with the page and on the screen. */
import type { CalendarChoice } from '../../lib/calendar-choice.ts'
import { calendarChoice } from '../../lib/calendar-choice.ts'
import { todayKey } from '../../lib/dates.ts'
import { monthOf } from '../../lib/month.ts'
import { agencyQuery } from '../../lib/access-queries.ts'
import { calendarQuery, clientsQuery, type CalendarAsked } from '../../lib/queries.ts'
import { queryClient } from '../../lib/query-client.ts'
import type { CalendarSearch } from './search.ts'

/** @param firstDay of the week, where the address names a month */
export const askedOf = (
  { view, drafts }: CalendarChoice,
  { month, day, client }: CalendarSearch,
  firstDay: string | undefined,
): CalendarAsked => ({
  view,
  // Without them in the address, the server's own current page: it was asked for with the page already.
  month: view === 'week' ? undefined : (month ?? (day && monthOf(day))),
  day: view === 'week' ? (day ?? (month && firstDay)) : undefined,
  client,
  drafts: drafts ? 'true' : undefined,
})

/** Begins with the requests of a screen before it renders. */
export async function askAhead(search: CalendarSearch): Promise<void> {
  void queryClient.prefetchQuery(clientsQuery)
  const agency = await queryClient.fetchQuery(agencyQuery).catch(() => null)
  const kept = calendarChoice()
  const choice = { ...kept, view: search.view ?? kept.view }
  const isOther = choice.view === 'week' && search.month !== undefined
  if (agency && !isOther)
    void queryClient.prefetchQuery(calendarQuery(askedOf(choice, search, undefined), todayKey(agency.timeZone)))
}

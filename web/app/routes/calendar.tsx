import { createFileRoute } from '@tanstack/react-router'
import { CalendarScreen } from '../../features/calendar/CalendarScreen.tsx'
import type { CalendarSearch } from '../../features/calendar/search.ts'
import { allClients } from '../../lib/all-clients.ts'
import { calendarViews } from '../../lib/calendar-choice.ts'
import { isDay, isMonth } from '../../lib/month.ts'
import { userQuery } from '../../lib/access-queries.ts'
import { queryClient } from '../../lib/query-client.ts'
import { oneOf, text, type Search } from '../../lib/search.ts'

/** All clients is no filter: sent as one before the clients are loaded, it would be refused. */
const clientOf = (search: Search) => {
  const client = text(search, 'client')
  return client === allClients ? undefined : client
}

const calendarSearch = (search: Search): CalendarSearch => ({
  client: clientOf(search),
  month: isMonth(search['month']) ? search['month'] : undefined,
  day: isDay(search['day']) ? search['day'] : undefined,
  view: oneOf(search, 'view', calendarViews),
})

export const Route = createFileRoute('/calendar')({
  validateSearch: calendarSearch,
  loader: async ({ location, preload }) => {
    // Only what is opened is asked for, and only for a user.
    if (preload) return
    if (!(await queryClient.fetchQuery(userQuery).catch(() => null))) return
    const ask = await import('../../features/calendar/ask.ts').catch(() => null)
    await ask?.askAhead(calendarSearch(location.search))
  },
  shouldReload: false,
  component: Screen,
})

function Screen() {
  return <CalendarScreen search={Route.useSearch()} />
}

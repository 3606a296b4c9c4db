import { createFileRoute } from '@tanstack/react-router'
import { CalendarScreen } from '../../features/calendar/CalendarScreen.tsx'
import type { CalendarSearch } from '../../features/calendar/search.ts'
import { calendarViews } from '../../lib/calendar-choice.ts'
import { isDay, isMonth } from '../../lib/month.ts'
import { oneOf, text } from '../../lib/search.ts'

export const Route = createFileRoute('/calendar')({
  validateSearch: (search): CalendarSearch => ({
    client: text(search, 'client'),
    month: isMonth(search['month']) ? search['month'] : undefined,
    day: isDay(search['day']) ? search['day'] : undefined,
    view: oneOf(search, 'view', calendarViews),
  }),
  component: Screen,
})

function Screen() {
  return <CalendarScreen search={Route.useSearch()} />
}

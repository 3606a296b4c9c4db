import { createFileRoute } from '@tanstack/react-router'
import { CalendarScreen } from '../../features/calendar/CalendarScreen.tsx'
import type { CalendarSearch } from '../../features/calendar/search.ts'
import { isMonth } from '../../lib/month.ts'
import { text } from '../../lib/search.ts'

export const Route = createFileRoute('/calendar')({
  validateSearch: (search): CalendarSearch => ({
    client: text(search, 'client'),
    month: isMonth(search['month']) ? search['month'] : undefined,
  }),
  component: Screen,
})

function Screen() {
  return <CalendarScreen search={Route.useSearch()} />
}

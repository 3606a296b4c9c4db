import { createFileRoute } from '@tanstack/react-router'
import { Analytics } from '../../features/analytics/Analytics.tsx'
import { analyticsSearch } from '../../features/analytics/search.ts'

export const Route = createFileRoute('/analytics')({ validateSearch: analyticsSearch, component: Screen })

function Screen() {
  return <Analytics search={Route.useSearch()} />
}

import { createFileRoute } from '@tanstack/react-router'
import { Analytics } from '../../features/analytics/Analytics.tsx'
import { text } from '../../lib/search.ts'

export const Route = createFileRoute('/analytics')({
  validateSearch: (search): { readonly client?: string | undefined } => ({ client: text(search, 'client') }),
  component: Screen,
})

function Screen() {
  return <Analytics client={Route.useSearch().client} />
}

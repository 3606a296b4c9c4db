import { createFileRoute } from '@tanstack/react-router'
import { ClientPage } from '../../../features/client/ClientPage.tsx'
import { clientTabs, type ClientSearch } from '../../../features/client/search.ts'
import { isDay } from '../../../lib/month.ts'
import { oneOf, text } from '../../../lib/search.ts'
import { connectOutcomes } from '../../../ui/connect-outcomes.ts'

export const Route = createFileRoute('/clients/$id')({
  validateSearch: (search): ClientSearch => ({
    tab: oneOf(search, 'tab', clientTabs),
    connect: oneOf(search, 'connect', connectOutcomes),
    account: text(search, 'account'),
    choice: text(search, 'choice'),
    compose: search['compose'] === true ? true : undefined,
    on: isDay(search['on']) ? search['on'] : undefined,
    from: text(search, 'from'),
  }),
  component: Screen,
})

function Screen() {
  const { id } = Route.useParams()
  return <ClientPage key={id} id={id} search={Route.useSearch()} />
}

import { createFileRoute } from '@tanstack/react-router'
import { Clients } from '../../../features/clients/Clients.tsx'

export const Route = createFileRoute('/clients/')({
  validateSearch: (search): { readonly add?: true | undefined } => ({ add: search['add'] === true ? true : undefined }),
  component: Screen,
})

function Screen() {
  return <Clients adding={Route.useSearch().add === true} />
}

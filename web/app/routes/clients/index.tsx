import { createFileRoute } from '@tanstack/react-router'
import { Clients } from '../../../features/clients/Clients.tsx'
import { oneOf } from '../../../lib/search.ts'
import { connectOutcomes, type ConnectOutcome } from '../../../ui/connect-outcomes.ts'

export const Route = createFileRoute('/clients/')({
  validateSearch: (search): ClientsSearch => ({
    add: search['add'] === true ? true : undefined,
    connect: oneOf(search, 'connect', connectOutcomes),
  }),
  component: Screen,
})

interface ClientsSearch {
  readonly add?: true | undefined
  /** A consent that can't be told a client any more ends here. */
  readonly connect?: ConnectOutcome | undefined
}

function Screen() {
  const { add, connect } = Route.useSearch()
  return <Clients adding={add === true} connect={connect} />
}

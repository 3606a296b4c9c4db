import { useCallback } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { clientsQuery } from '../../lib/queries.ts'
import { useBlocked } from '../../lib/use-agency.ts'
import { clientsWatched } from '../../lib/watched.ts'
import { Badge } from '../../ui/Badge.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { PaidButton } from '../../ui/PaidButton.tsx'
import { RefreshButton } from '../../ui/RefreshButton.tsx'
import { ForRole } from '../../ui/ForRole.tsx'
import type { ConnectOutcome } from '../../lib/connect-outcomes.ts'
import { useConnectionOutcome } from '../../ui/use-connection-updates.ts'
import { ClientList } from './ClientList.tsx'
import { clientLimit } from './limit.ts'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { words } from './words.ts'

const AddClientDialog = lazyDialog(() => import('./AddClientDialog.tsx'))

interface Props {
  readonly adding: boolean
  readonly connect: ConnectOutcome | undefined
}

export function Clients({ adding, connect }: Props) {
  const clients = useQuery(clientsQuery)
  const navigate = useNavigate()
  const blocked = useBlocked()
  const count = clients.data?.length ?? 0
  const full = count >= clientLimit
  const setAdding = (add: boolean) =>
    void navigate({ to: '/clients', search: add ? { add } : {}, replace: true, resetScroll: false })
  const onShown = useCallback(() => void navigate({ to: '/clients', search: {}, replace: true }), [navigate])
  useConnectionOutcome({ outcome: connect, onShown })
  return (
    <>
      <PageHeader
        title={words.title}
        aside={
          clients.isSuccess && (
            <Badge tone="secondary" testId="text-client-count">
              {words.count(count, clientLimit)}
            </Badge>
          )
        }
        text={full ? words.full : words.about}
        actions={
          <>
            <RefreshButton busy={clients.isFetching} onRefresh={clients.refetch} watched={clientsWatched} />
            <ForRole least="admin">
              <PaidButton
                look="primary"
                onPress={() => setAdding(true)}
                isDisabled={full || !clients.isSuccess}
                data-testid="button-new-client"
                data-shortcut="n"
              >
                <Plus aria-hidden />
                {words.newClient}
              </PaidButton>
            </ForRole>
          </>
        }
      />
      <ClientList clients={clients} onAdd={() => setAdding(true)} />
      {adding && clients.isSuccess && !full && blocked === null && <AddClientDialog onClose={() => setAdding(false)} />}
    </>
  )
}

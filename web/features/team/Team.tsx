/** Settings → Team: the people of the agency, their invitations, and whether they may approve their own posts. */
import { useQuery } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import type { Agency } from '../../../api/contract/index.ts'
import { clientsQuery } from '../../lib/queries.ts'
import { teamQuery } from '../../lib/team-queries.ts'
import { useAgency } from '../../lib/use-agency.ts'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { LoadError } from '../../ui/LoadError.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { PaidButton } from '../../ui/PaidButton.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Invitations } from './Invitations.tsx'
import { Members } from './Members.tsx'
import { Ownership } from './Ownership.tsx'
import { OwnApprovalCard } from './OwnApprovalCard.tsx'
import { words } from './words.ts'

const InvitePerson = lazyDialog(() => import('./InvitePerson.tsx'))

export function Team() {
  const agency = useAgency()
  return agency && <Loaded agency={agency} />
}

function Loaded({ agency: { me, timeZone: zone, name } }: { readonly agency: Agency }) {
  const team = useQuery(teamQuery)
  const clients = useQuery(clientsQuery).data ?? []
  const [inviting, setInviting] = useState(false)
  const managesPeople = me.role === 'owner' || me.role === 'admin'
  return (
    <>
      <PageHeader
        title={words.heading}
        text={words.text}
        actions={
          <>
            <LinkButton to="/settings" look="secondary">
              {words.back}
            </LinkButton>
            {managesPeople && (
              <PaidButton look="primary" onPress={() => setInviting(true)} data-testid="button-invite">
                <UserPlus aria-hidden />
                {words.invite}
              </PaidButton>
            )}
          </>
        }
      />
      {team.isPending && <Skeleton className="h-64" />}
      {team.isError && <LoadError what={words.theTeam} error={team.error} onRetry={() => void team.refetch()} />}
      {team.data && (
        <div className="flex flex-col gap-6">
          <Ownership team={team.data} me={me} />
          <Members team={team.data} me={me} clients={clients} zone={zone} agencyName={name} />
          {team.data.invitations.length > 0 && (
            <Invitations invitations={team.data.invitations} clients={clients} zone={zone} mails={team.data.mails} />
          )}
          {managesPeople && <OwnApprovalCard team={team.data} />}
        </div>
      )}
      {inviting && (
        <InvitePerson
          ownRole={me.role}
          clients={clients}
          zone={zone}
          mails={team.data?.mails ?? true}
          onClose={() => setInviting(false)}
        />
      )}
    </>
  )
}

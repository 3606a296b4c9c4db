import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import {
  isForAllClients,
  type Client,
  type GivenRole,
  type MemberRole,
  type TeamMember,
} from '../../../api/contract/index.ts'
import { roleNames } from '../../lib/role-names.ts'
import { call } from '../../lib/call.ts'
import { errorText } from '../../lib/error-text.ts'
import { afterTeamChange } from '../../lib/team-queries.ts'
import { FormActions } from '../../ui/FormActions.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { ServerError } from '../../ui/ServerError.tsx'
import { toast } from '../../ui/toast.ts'
import { clientMissing, noClientChosen, RoleAndClients, scopeOf, type RoleChoice } from './RoleAndClients.tsx'
import { words } from './words.ts'

interface Props {
  readonly member: TeamMember
  readonly ownRole: MemberRole
  readonly clients: readonly Client[]
  readonly onClose: () => void
}

const choiceOf = ({ role, clients }: TeamMember): RoleChoice => ({
  role: role === 'owner' ? 'admin' : (role satisfies GivenRole),
  // From a role for all clients to one for some, the person chooses.
  every: isForAllClients(role) ? null : clients === 'all',
  chosen: clients === 'all' ? [] : clients,
})

export default function ChangeMember({ member, ownRole, clients, onClose }: Props) {
  const [choice, setChoice] = useState(() => choiceOf(member))
  const [tried, setTried] = useState(false)
  const change = useMutation({
    mutationFn: () =>
      call('PATCH /api/team/members/{id}', {
        params: { id: member.id },
        body: { role: choice.role, clients: scopeOf(choice) },
      }),
    onSuccess: async ({ name, role }) => {
      await afterTeamChange()
      onClose()
      toast({ title: words.changing.changed, description: words.changing.changedText(name, roleNames[role]) })
    },
  })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!noClientChosen(choice) && !change.isPending) change.mutate()
  }
  return (
    <FormDialog
      onClose={onClose}
      unsaved={false}
      busy={change.isPending}
      title={words.changing.title(member.name)}
      description={words.changing.text}
    >
      <form onSubmit={onSubmit} noValidate className="flex flex-col gap-5">
        <RoleAndClients
          choice={choice}
          onChange={setChoice}
          ownRole={ownRole}
          clients={clients}
          error={tried && noClientChosen(choice) ? clientMissing(choice) : undefined}
        />
        <ServerError message={change.isError ? errorText(change.error) : null} />
        <FormActions
          pending={change.isPending}
          action={words.save}
          pendingAction={words.saving}
          testId="button-save-role"
        />
      </form>
    </FormDialog>
  )
}

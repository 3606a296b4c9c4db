import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import type { Client, MemberRole } from '../../../api/contract/index.ts'
import { call } from '../../lib/call.ts'
import { errorText, fieldNamedBy, textUnder } from '../../lib/error-text.ts'
import { afterTeamChange } from '../../lib/team-queries.ts'
import { FormActions } from '../../ui/FormActions.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { ServerError } from '../../ui/ServerError.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { InvitationLink } from './InvitationLink.tsx'
import { clientMissing, noClientChosen, RoleAndClients, scopeOf, type RoleChoice } from './RoleAndClients.tsx'
import { words } from './words.ts'

interface Props {
  readonly ownRole: MemberRole
  readonly clients: readonly Client[]
  readonly zone: string
  /** Whether this server sends mail. */
  readonly mails: boolean
  readonly onClose: () => void
}

const begin: RoleChoice = { role: 'writer', every: null, chosen: [] }

export default function InvitePerson({ ownRole, clients, zone, mails, onClose }: Props) {
  const [email, setEmail] = useState('')
  const [choice, setChoice] = useState(begin)
  const [tried, setTried] = useState(false)
  const invite = useMutation({
    mutationFn: () =>
      call('POST /api/team/invitations', { body: { email, role: choice.role, clients: scopeOf(choice) } }),
    onSuccess: afterTeamChange,
  })
  // The letter has left meanwhile, mostly.
  const closeLink = () => {
    onClose()
    void afterTeamChange()
  }
  if (invite.data) return <InvitationLink invited={invite.data} zone={zone} mails={mails} onClose={closeLink} />
  const emailError = fieldNamedBy(invite.error, ['email'] as const) ? textUnder('email', invite.error) : undefined
  const noEmail = tried && email.trim() === '' ? words.inviting.emailMissing : undefined
  const noClient = tried && noClientChosen(choice) ? clientMissing(choice) : undefined
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (email.trim() !== '' && !noClientChosen(choice) && !invite.isPending) invite.mutate()
  }
  const onType = (text: string) => {
    setEmail(text)
    invite.reset()
  }
  return (
    <FormDialog
      onClose={onClose}
      unsaved={email.trim() !== ''}
      busy={invite.isPending}
      title={words.inviting.title}
      description={words.inviting.text(mails)}
    >
      <form onSubmit={onSubmit} noValidate className="flex flex-col gap-5">
        <TextField
          label={words.inviting.email}
          type="email"
          autoComplete="off"
          value={email}
          onChange={onType}
          required
          focusFirst
          error={noEmail ?? emailError}
        />
        <RoleAndClients choice={choice} onChange={setChoice} ownRole={ownRole} clients={clients} error={noClient} />
        <ServerError message={invite.isError && emailError === undefined ? errorText(invite.error) : null} />
        <FormActions
          pending={invite.isPending}
          action={words.inviting.send}
          pendingAction={words.inviting.sending}
          testId="button-send-invitation"
        />
      </form>
    </FormDialog>
  )
}

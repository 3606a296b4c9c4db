/** Removes the second factors of a person who lost them: says before what that does, and asks for the own password. */
import type { TeamMember } from '../../../api/contract/index.ts'
import { call } from '../../lib/call.ts'
import { afterTeamChange } from '../../lib/team-queries.ts'
import { toast } from '../../ui/toast.ts'
import AskPassword from '../security/AskPassword.tsx'
import { words } from './words.ts'

interface Props {
  readonly member: TeamMember
  /** Whether this server sends mail. */
  readonly mails: boolean
  readonly onClose: () => void
}

export default function ResetFactors({ member: { id, name }, mails, onClose }: Props) {
  return (
    <AskPassword
      title={words.factors.title(name)}
      text={words.factors.text(name)}
      action={words.factors.action}
      pending={words.factors.pending}
      isDangerous
      onClose={onClose}
      onProof={async ({ password }) => {
        await call('POST /api/team/members/{id}/reset-factors', { params: { id }, body: { password } })
        await afterTeamChange()
        onClose()
        toast({ title: words.factors.done, description: words.factors.doneText(name, mails) })
      }}
    />
  )
}

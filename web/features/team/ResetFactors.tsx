/** Removes the second factors of a person who lost them, and says before what that does. */
import { useMutation } from '@tanstack/react-query'
import type { TeamMember } from '../../../api/contract/index.ts'
import { call } from '../../lib/call.ts'
import { errorText } from '../../lib/error-text.ts'
import { afterTeamChange } from '../../lib/team-queries.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { toast } from '../../ui/toast.ts'
import { words } from './words.ts'

interface Props {
  readonly member: TeamMember
  readonly onClose: () => void
}

export default function ResetFactors({ member: { id, name }, onClose }: Props) {
  const reset = useMutation({
    mutationFn: () => call('POST /api/team/members/{id}/reset-factors', { params: { id } }),
    onSuccess: async () => {
      await afterTeamChange()
      toast({ title: words.factors.done, description: words.factors.doneText(name) })
    },
    onError: (error) => toast({ title: words.factors.failed, description: errorText(error), variant: 'destructive' }),
    onSettled: onClose,
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={words.factors.title(name)}
      action={words.factors.action}
      pending={reset.isPending}
      onConfirm={() => reset.mutate()}
    >
      {words.factors.text(name)}
    </ConfirmDialog>
  )
}

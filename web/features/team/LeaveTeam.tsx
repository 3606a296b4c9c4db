import { useMutation } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { errorText } from '../../lib/error-text.ts'
import { openAnotherAgency } from '../../lib/other-agency.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { toast } from '../../ui/toast.ts'
import { words } from './words.ts'

interface Props {
  readonly agencyName: string
  readonly onClose: () => void
}

export default function LeaveTeam({ agencyName, onClose }: Props) {
  const leave = useMutation({
    mutationFn: () => call('POST /api/team/leave'),
    onSuccess: openAnotherAgency,
    onError: (error) => {
      onClose()
      toast({ title: words.leaving.failed, description: errorText(error), variant: 'destructive' })
    },
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={words.leaving.title(agencyName)}
      action={words.leaving.action}
      pending={leave.isPending || leave.isSuccess}
      onConfirm={() => leave.mutate()}
    >
      {words.leaving.text}
    </ConfirmDialog>
  )
}

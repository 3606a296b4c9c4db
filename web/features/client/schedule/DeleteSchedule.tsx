import { useMutation } from '@tanstack/react-query'
import type { Schedule } from '../../../../api/contract/index.ts'
import { call } from '../../../lib/call.ts'
import { toastFailure } from '../../../lib/post-actions.ts'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { afterScheduleChange } from './queries.ts'
import { words } from './words.ts'

interface Props {
  readonly schedule: Schedule
  readonly accountName: string
  readonly onClose: () => void
}

export default function DeleteSchedule({ schedule: { id, untouchedPosts }, accountName, onClose }: Props) {
  const remove = useMutation({
    mutationFn: () => call('DELETE /api/schedules/{id}', { params: { id } }),
    onSuccess: async () => {
      onClose()
      await afterScheduleChange()
      toast(words.deleted(accountName))
    },
    onError: (error) => toastFailure(words.deleteFailed, error),
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={words.deleteTitle(accountName, untouchedPosts)}
      action={words.delete}
      pending={remove.isPending}
      onConfirm={() => remove.mutate()}
    >
      {words.deleteText(untouchedPosts)}
    </ConfirmDialog>
  )
}

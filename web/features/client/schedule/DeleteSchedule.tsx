import { useMutation } from '@tanstack/react-query'
import type { Schedule } from '../../../../api/contract/index.ts'
import { call } from '../../../lib/call.ts'
import { toastFailure } from '../../../lib/post-actions.ts'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { afterScheduleChange } from './queries.ts'

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
      toast({
        title: 'Posting schedule deleted',
        description: `Nothing is written for ${accountName} by itself any more.`,
      })
    },
    onError: (error) => toastFailure('Failed to delete posting schedule', error),
  })
  const what = untouchedPosts === 0 ? '' : untouchedPosts === 1 ? ' and its post' : ` and its ${untouchedPosts} posts`
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete the posting schedule of ${accountName}${what}?`}
      action="Delete"
      pending={remove.isPending}
      onConfirm={() => remove.mutate()}
    >
      {untouchedPosts === 0
        ? 'Posts that you have reviewed or edited stay.'
        : `${untouchedPosts === 1 ? 'One post that waits' : `${untouchedPosts} posts that wait`} untouched for its coming times ${untouchedPosts === 1 ? 'goes' : 'go'} with it. Posts that you have reviewed or edited stay.`}
    </ConfirmDialog>
  )
}

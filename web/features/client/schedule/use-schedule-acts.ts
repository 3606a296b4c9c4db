/** Commands on an existing schedule, with their toasts. */
import { useMutation } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { toastFailure } from '../../../lib/post-actions.ts'
import { toast } from '../../../ui/toast.ts'
import { afterScheduleChange } from './queries.ts'

export function useScheduleActs(id: string, needsImage: boolean) {
  const change = (isActive: boolean) => () => call('PATCH /api/schedules/{id}', { params: { id }, body: { isActive } })
  const pause = useMutation({
    mutationFn: change(false),
    onSuccess: async () => {
      await afterScheduleChange()
      toast({
        title: 'Posting schedule paused',
        description: 'Its posts stay. Nothing new is written until you resume it.',
      })
    },
    onError: (error) => toastFailure('Failed to pause posting schedule', error),
  })
  const resume = useMutation({
    mutationFn: change(true),
    onSuccess: async () => {
      await afterScheduleChange()
      toast({
        title: 'Posting schedule resumed',
        description: `${needsImage ? 'Drafts' : 'Posts'} for the coming week are being written.`,
      })
    },
    onError: (error) => toastFailure('Failed to resume posting schedule', error),
  })
  const retry = useMutation({
    mutationFn: (slots: readonly string[]) =>
      call('POST /api/schedules/{id}/slots/retry', { params: { id }, body: { slots: [...slots] } }),
    onSuccess: async (_, { length }) => {
      await afterScheduleChange()
      toast({
        title: 'Trying again',
        description:
          length === 1
            ? 'The post of this time is being written.'
            : `The posts of these ${length} times are being written.`,
      })
    },
    onError: (error) => toastFailure('Failed to try again', error),
  })
  return { pause, resume, retry }
}

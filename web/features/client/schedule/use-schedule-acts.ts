/** Commands on an existing schedule, with their toasts. */
import { useMutation } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { toastFailure } from '../../../lib/post-actions.ts'
import { toast } from '../../../ui/toast.ts'
import { afterScheduleChange } from './queries.ts'
import { words } from './words.ts'

export function useScheduleActs(id: string, needsImage: boolean) {
  const change = (isActive: boolean) => () => call('PATCH /api/schedules/{id}', { params: { id }, body: { isActive } })
  const pause = useMutation({
    mutationFn: change(false),
    onSuccess: async () => {
      await afterScheduleChange()
      toast(words.pausedToast)
    },
    onError: (error) => toastFailure(words.pauseFailed, error),
  })
  const resume = useMutation({
    mutationFn: change(true),
    onSuccess: async () => {
      await afterScheduleChange()
      toast(words.resumedToast(needsImage))
    },
    onError: (error) => toastFailure(words.resumeFailed, error),
  })
  const retry = useMutation({
    mutationFn: (slots: readonly string[]) =>
      call('POST /api/schedules/{id}/slots/retry', { params: { id }, body: { slots: [...slots] } }),
    onSuccess: async (_, { length }) => {
      await afterScheduleChange()
      toast(words.tryingAgain(length))
    },
    onError: (error) => toastFailure(words.tryFailed, error),
  })
  return { pause, resume, retry }
}

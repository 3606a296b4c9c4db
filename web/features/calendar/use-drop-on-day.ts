/** A post let go on another day: moved at once on the screen, and back again if the server refuses. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { CalendarEntry } from '../../../api/contract/index.ts'
import { formatDay, formatTime } from '../../lib/dates.ts'
import { moveTo, toastFailure } from '../../lib/post-actions.ts'
import { afterPostChange } from '../../lib/refetch.ts'
import { loadWallClock, sameClockOn } from '../../lib/wall-clock.ts'
import { toast } from '../../ui/toast.ts'

interface Move {
  readonly entry: CalendarEntry
  readonly day: string
  readonly scheduledFor: string
}

export function useDropOnDay(zone: string, onSaid: (sentence: string) => void) {
  const queries = useQueryClient()
  useEffect(loadWallClock, [])
  const move = useMutation({
    mutationFn: ({ entry, scheduledFor }: Move) => moveTo(scheduledFor, entry).send(entry.id),
    onMutate: async ({ entry, scheduledFor }) => {
      await queries.cancelQueries({ queryKey: ['calendar'] })
      const before = queries.getQueriesData<CalendarEntry[]>({ queryKey: ['calendar'] })
      queries.setQueriesData<CalendarEntry[]>({ queryKey: ['calendar'] }, (list) =>
        list?.map((each) => (each.id === entry.id ? { ...each, scheduledFor } : each)),
      )
      return before
    },
    onSuccess: async (_, { entry, day, scheduledFor }) => {
      const { done } = moveTo(scheduledFor, entry)
      await afterPostChange()
      toast(done)
      onSaid(`Moved to ${formatDay(day)} at ${formatTime(scheduledFor, zone)}.`)
    },
    onError: (error, _, before) => {
      for (const [key, list] of before ?? []) queries.setQueryData(key, list)
      toastFailure('Failed to reschedule post', error)
    },
  })
  return (entry: CalendarEntry, day: string) =>
    void sameClockOn(day, entry.scheduledFor, zone).then((scheduledFor) => move.mutate({ entry, day, scheduledFor }))
}

/** The rules that are being chosen: what is wrong with them, and how they are saved. */
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { defaultPostsPerWeek, type Schedule, type ScheduleRules } from '../../../../api/contract/index.ts'
import { callIf, callOnce } from '../../../lib/call.ts'
import { errorText, statusOf } from '../../../lib/error-text.ts'
import { useIdempotencyKey } from '../../../lib/use-idempotency-key.ts'
import { toast } from '../../../ui/toast.ts'
import { afterScheduleChange } from './queries.ts'
import { words } from './words.ts'

/** A time as its row holds it: what is typed may not be a time yet. */
export interface TimeRow {
  readonly key: number
  readonly day: string
  readonly time: string
}

export interface Draft {
  readonly frequency: ScheduleRules['frequency']
  readonly postsPerWeek: string
  readonly times: readonly TimeRow[]
  readonly topics: readonly string[]
}

const weekdays = ['1', '3', '5']

const draftOf = (schedule: Schedule | null): Draft =>
  schedule
    ? {
        frequency: schedule.frequency,
        postsPerWeek: String(schedule.postsPerWeek),
        times: schedule.preferredTimes.map(({ day, time }, key) => ({ key, day: String(day), time })),
        topics: schedule.contentTopics,
      }
    : {
        frequency: 'weekly',
        postsPerWeek: String(defaultPostsPerWeek),
        times: weekdays.map((day, key) => ({ key, day, time: '09:00' })),
        topics: [],
      }

export type Errors = Partial<Record<'postsPerWeek' | 'times' | 'topics', string>>

function errorsOf({ frequency, postsPerWeek, times }: Draft): Errors {
  const count = Number(postsPerWeek)
  const isCount = /^\d+$/.test(postsPerWeek.trim()) && count >= 1 && count <= 50
  const timesError =
    times.length === 0 ? words.noTime : times.some(({ time }) => time === '') ? words.wrongTime : undefined
  return {
    ...(frequency === 'weekly' && !isCount && { postsPerWeek: words.wrongCount }),
    ...(timesError !== undefined && { times: timesError }),
  }
}

/** Null while they are not whole. */
export function rulesOf(draft: Draft): ScheduleRules | null {
  if (Object.keys(errorsOf(draft)).length > 0) return null
  const count = Number(draft.postsPerWeek)
  return {
    frequency: draft.frequency,
    postsPerWeek: Number.isInteger(count) && count >= 1 && count <= 50 ? count : defaultPostsPerWeek,
    preferredTimes: draft.times.map(({ day, time }) => ({ day: day === 'every' ? 'every' : Number(day), time })),
    contentTopics: [...draft.topics],
  }
}

/** The server names the field that it refuses. */
const fields = { 'Posts per week': 'postsPerWeek', 'Preferred times': 'times', 'Content topics': 'topics' } as const

function refusedField(sentence: string): Errors {
  for (const [label, field] of Object.entries(fields))
    if (sentence.startsWith(label)) return { [field]: sentence.slice(sentence.indexOf(': ') + 2) }
  return {}
}

interface Saving {
  readonly clientId: string
  readonly accountId: string
  readonly schedule: Schedule | null
  /** The toast after it. */
  readonly saved: string
  readonly onClose: () => void
}

export function useScheduleForm({ clientId, accountId, schedule, saved, onClose }: Saving) {
  const [before] = useState(() => draftOf(schedule))
  const [draft, setDraft] = useState(before)
  const [tried, setTried] = useState(false)
  // The version that was opened: the list may load a newer one that the user has not seen here.
  const read = useRef(schedule?.revision ?? 0)
  const once = useIdempotencyKey()
  const save = useMutation({
    mutationFn: (rules: ScheduleRules) => {
      if (schedule)
        return callIf('PATCH /api/schedules/{id}', read.current, { params: { id: schedule.id }, body: rules })
      const body = { socialAccountId: accountId, ...rules }
      return callOnce('POST /api/clients/{id}/schedules', once(body), { params: { id: clientId }, body })
    },
    onSuccess: async () => {
      onClose()
      await afterScheduleChange()
      const title = schedule ? words.changed : words.created
      toast({ title, description: saved })
    },
    onError: (error) => (statusOf(error) === 412 ? afterScheduleChange() : undefined),
  })
  const overtaken = save.isError && statusOf(save.error) === 412
  const refusal = save.isError ? errorText(save.error) : null
  const refused = refusal === null ? {} : refusedField(refusal)
  return {
    draft,
    rules: rulesOf(draft),
    errors: { ...(tried ? errorsOf(draft) : {}), ...refused },
    /** The server's refusal that concerns no single field. */
    refusal: Object.keys(refused).length > 0 ? null : refusal,
    /** Another session saved other rules since the form was opened. */
    overtaken,
    saving: save.isPending,
    unsaved: draft !== before,
    change(part: Partial<Draft>) {
      // The other rules stay visible until the user decides.
      if (save.isError && !overtaken) save.reset()
      setDraft((now) => ({ ...now, ...part }))
    },
    save() {
      setTried(true)
      // The other user's version is shown beside the form by now: saving again is a choice.
      if (overtaken && schedule) read.current = schedule.revision
      const rules = rulesOf(draft)
      if (!rules || save.isPending) return
      if (schedule && !overtaken && JSON.stringify(rules) === JSON.stringify(rulesOf(before))) {
        onClose()
        return toast(words.nothingChanged)
      }
      save.mutate(rules)
    },
  }
}

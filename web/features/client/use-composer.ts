/** State of the composer, and the three ways to save it. A failed save loses nothing that was typed. */
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Body, Routes, SocialAccount } from '../../../api/contract/index.ts'
import { callOnce } from '../../lib/call.ts'
import { nowField } from '../../lib/dates.ts'
import { errorText } from '../../lib/error-text.ts'
import { useIdempotencyKey } from '../../lib/use-idempotency-key.ts'
import { noProblems, problemsOf } from '../../lib/post-problems.ts'
import { schedule, toastFailure } from '../../lib/post-actions.ts'
import { afterPostChange } from '../../lib/refetch.ts'
import { useUpload } from '../../lib/use-upload.ts'
import { instantOfField } from '../../lib/wall-clock.ts'
import type { Written } from '../../lib/writing-events.ts'
import { toast } from '../../ui/toast.ts'

export interface Draft {
  readonly accountId: string | null
  readonly content: string
  readonly imageUrl: string
  /** The next free slot, or the time below. */
  readonly when: 'slot' | 'time'
  readonly time: string
}

export type SaveAs = NonNullable<Body<Routes['writePost']>['status']>

type Errors = Partial<Record<'account' | 'content' | 'imageUrl' | 'time', string>>

const said = {
  draft: { title: 'Draft saved', description: 'You can go on with it whenever you like.' },
  pending: { title: 'Post submitted', description: 'Post is waiting for review.' },
  scheduled: schedule.done,
}
const failed = { draft: 'Failed to save draft', pending: 'Failed to submit post', scheduled: schedule.failed }

/** Nine o'clock of the day that was chosen on the calendar. */
export const startTime = (on: string | undefined) => (on === undefined ? '' : `${on}T09:00`)

export type Composing = ReturnType<typeof useComposer>

export function useComposer(
  clientId: string,
  accounts: readonly SocialAccount[],
  zone: string,
  restored: Readonly<Record<string, string>> | null,
  onClose: () => void,
  on?: string,
) {
  const only = accounts.length === 1 ? accounts[0] : undefined
  const [draft, setDraft] = useState<Draft>({
    accountId: only?.id ?? null,
    content: restored?.['content'] ?? '',
    imageUrl: restored?.['imageUrl'] ?? '',
    when: on === undefined ? 'slot' : 'time',
    time: startTime(on),
  })
  const [written, setWritten] = useState<Written | null>(null)
  const [tried, setTried] = useState(false)
  const once = useIdempotencyKey()
  const busy = useRef(false)
  const [held, setHeld] = useState<string | null>(null)
  const errors = tried ? errorsOf(draft, zone) : {}
  const account = accounts.find(({ id }) => id === draft.accountId)

  const save = useMutation({
    mutationFn: async (as: SaveAs) => {
      const body = {
        socialAccountId: draft.accountId ?? '',
        content: draft.content,
        imageUrl: draft.imageUrl.trim(),
        scheduledFor: draft.when === 'time' ? await instantOfField(draft.time, zone) : null,
        status: as,
        generationId: written?.generationId ?? null,
      }
      await callOnce('POST /api/clients/{id}/posts', once(body), { params: { id: clientId }, body })
    },
    onSuccess: (_, as) => {
      onClose()
      toast(said[as])
    },
    onError: (error, as) => toastFailure(failed[as], error),
    // After a lost answer the list shows whether the post was saved.
    onSettled: () => {
      busy.current = false
      return afterPostChange()
    },
  })

  // The refusal concerned a text that has changed since.
  const changed = () => {
    setHeld(null)
    if (save.isError) save.reset()
  }
  const change = (part: Partial<Draft>) => {
    changed()
    setDraft((before) => ({ ...before, ...part }))
  }
  const upload = useUpload((imageUrl) => change({ imageUrl }))
  const { platform, network } = account ?? {}
  const problems =
    platform === undefined
      ? noProblems
      : problemsOf({ ...draft, platform, network: network ?? null, image: upload.factsOf(draft.imageUrl) })

  /** Why it can't be sent just now. A draft may have its flaws. */
  const holdBack = (as: SaveAs): string | null =>
    upload.progress !== null
      ? 'The image is still on its way. Try again in a moment.'
      : ((as === 'draft' ? problems.unsavable : problems.first) ?? null)

  return {
    draft,
    written,
    errors,
    account,
    problems,
    upload,
    /** Why it was not sent, or what the server refused. */
    refusal: save.isError ? errorText(save.error) : held,
    saving: save.isPending ? save.variables : null,
    change,
    accept: (text: Written) => {
      changed()
      setWritten(text)
      setDraft((before) => ({ ...before, content: text.content }))
    },
    save: (as: SaveAs) => {
      setTried(true)
      // A second press in the same instant comes before the button knows that it works.
      if (busy.current || Object.keys(errorsOf(draft, zone)).length > 0) return
      const reason = holdBack(as)
      setHeld(reason)
      if (reason !== null) return
      busy.current = true
      save.mutate(as)
    },
  }
}

function errorsOf({ accountId, content, imageUrl, when, time }: Draft, zone: string): Errors {
  const url = imageUrl.trim()
  return {
    ...(accountId === null && { account: 'Required' }),
    ...(content.trim() === '' && { content: 'Content must not be empty' }),
    ...(url !== '' &&
      !/^https?:\/\/\S+$/i.test(url) && { imageUrl: 'Enter a web address that starts with http:// or https://' }),
    ...(when === 'time' && time === '' && { time: 'Required' }),
    ...(when === 'time' && time !== '' && time <= nowField(zone) && { time: 'Choose a time that is still to come' }),
  }
}

/** State of the composer, and the three ways to save it, for one or several accounts. A failed save loses nothing. */
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Body, PostGroup, Routes, SocialAccount } from '../../../api/contract/index.ts'
import { callOnce } from '../../lib/call.ts'
import { nowField } from '../../lib/dates.ts'
import { errorText } from '../../lib/error-text.ts'
import { useIdempotencyKey } from '../../lib/use-idempotency-key.ts'
import { noProblems, problemsOf, type Problems } from '../../lib/post-problems.ts'
import { schedule, toastFailure } from '../../lib/post-actions.ts'
import { afterPostChange } from '../../lib/refetch.ts'
import { useUpload } from '../../lib/use-upload.ts'
import { instantOfField } from '../../lib/wall-clock.ts'
import type { Written } from '../../lib/writing-events.ts'
import { toast } from '../../ui/toast.ts'

export interface Draft {
  readonly accountId: string | null
  /** The further accounts that get the post. */
  readonly others: readonly string[]
  /** An account's own text, where it differs from `content`, by account id. */
  readonly texts: Readonly<Record<string, string>>
  readonly content: string
  readonly imageUrl: string
  /** The next free slot, or the time below. */
  readonly when: 'slot' | 'time'
  readonly time: string
}

export type SaveAs = NonNullable<Body<Routes['writePost']>['status']>

/** The text that an account gets. */
export const textFor = ({ texts, content }: Pick<Draft, 'texts' | 'content'>, accountId: string): string =>
  texts[accountId] ?? content

type Errors = Partial<Record<'account' | 'content' | 'texts' | 'imageUrl' | 'time', string>>

const said = {
  draft: { title: 'Draft saved', description: 'You can go on with it whenever you like.' },
  pending: { title: 'Post submitted', description: 'Post is waiting for review.' },
  scheduled: schedule.done,
}
/** The same for several accounts. */
const saidOf = (count: number) => ({
  draft: { title: 'Drafts saved', description: `${count} drafts, one for each account.` },
  pending: { title: 'Posts submitted', description: `${count} posts are waiting for review.` },
  scheduled: { title: 'Posts scheduled', description: `${count} posts have been scheduled for publishing.` },
})
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
    others: Object.keys(textsIn(restored)),
    texts: textsIn(restored),
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
  const others = accounts.filter(({ id }) => id !== draft.accountId && draft.others.includes(id))

  const save = useMutation({
    mutationFn: async (as: SaveAs): Promise<PostGroup | null> => {
      const shared = {
        content: draft.content,
        imageUrl: draft.imageUrl.trim(),
        scheduledFor: draft.when === 'time' ? await instantOfField(draft.time, zone) : null,
        status: as,
        generationId: written?.generationId ?? null,
      }
      const params = { id: clientId }
      if (others.length === 0) {
        const body = { ...shared, socialAccountId: draft.accountId ?? '' }
        await callOnce('POST /api/clients/{id}/posts', once(body), { params, body })
        return null
      }
      const posts = [draft.accountId ?? '', ...others.map(({ id }) => id)].map((id) => ({
        socialAccountId: id,
        ...(id in draft.texts && { content: draft.texts[id] }),
      }))
      const body = { ...shared, posts }
      return callOnce('POST /api/clients/{id}/posts/group', once(body), { params, body })
    },
    onSuccess: (group, as) => {
      const refused = group?.results.filter(({ done }) => !done) ?? []
      if (group !== null && refused.length > 0) return keepRefused(group, refused)
      onClose()
      toast(group === null ? said[as] : saidOf(group.results.length)[as])
    },
    onError: (error, as) => toastFailure(failed[as], error),
    // After a lost answer the list shows whether the post was saved.
    onSettled: () => {
      busy.current = false
      return afterPostChange()
    },
  })

  /** The written ones are done: what is left to do stays in the composer. */
  const keepRefused = ({ results }: PostGroup, refused: PostGroup['results']) => {
    const [first, ...rest] = refused.map(({ socialAccountId }) => socialAccountId)
    setDraft((before) => ({ ...before, accountId: first ?? null, others: rest }))
    const nameOf = (id: string) => accounts.find((each) => each.id === id)?.accountName ?? ''
    setHeld(refused.map(({ socialAccountId, sentence }) => `${nameOf(socialAccountId)}: ${sentence}`).join(' '))
    toast({
      title: `${results.length - refused.length} of ${results.length} posts saved`,
      description: `${refused.map(({ socialAccountId }) => nameOf(socialAccountId)).join(', ')} refused it. What is left is still here.`,
      variant: 'destructive',
    })
  }

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
  const problemsFor = ({ id, platform, network }: SocialAccount): Problems =>
    problemsOf({ ...draft, content: textFor(draft, id), platform, network, image: upload.factsOf(draft.imageUrl) })
  const problems = account ? problemsFor(account) : noProblems

  /** Why it can't be sent just now. A draft may have its flaws. */
  const holdBack = (as: SaveAs): string | null => {
    if (upload.progress !== null) return 'The image is still on its way. Try again in a moment.'
    const sentenceOf = ({ unsavable, first }: Problems) => (as === 'draft' ? unsavable : first)
    const sentences = others.flatMap((each) => {
      const sentence = sentenceOf(problemsFor(each))
      return sentence === undefined ? [] : [`${each.accountName}: ${sentence}`]
    })
    return sentenceOf(problems) ?? sentences[0] ?? null
  }

  return {
    draft,
    written,
    errors,
    account,
    others,
    problems,
    problemsFor,
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

const ownText = 'text of '

/** An account's own text as a field of a kept draft. */
export const fieldsOf = (texts: Draft['texts']): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(texts).map(([id, text]) => [ownText + id, text]))

const textsIn = (restored: Readonly<Record<string, string>> | null): Draft['texts'] =>
  Object.fromEntries(
    Object.entries(restored ?? {}).flatMap(([field, text]) =>
      field.startsWith(ownText) ? [[field.slice(ownText.length), text]] : [],
    ),
  )

function errorsOf({ accountId, others, texts, content, imageUrl, when, time }: Draft, zone: string): Errors {
  const url = imageUrl.trim()
  return {
    ...(others.some((id) => texts[id]?.trim() === '') && { texts: 'Content must not be empty' }),
    ...(accountId === null && { account: 'Required' }),
    ...(content.trim() === '' && { content: 'Content must not be empty' }),
    ...(url !== '' &&
      !/^https?:\/\/\S+$/i.test(url) && { imageUrl: 'Enter a web address that starts with http:// or https://' }),
    ...(when === 'time' && time === '' && { time: 'Required' }),
    ...(when === 'time' && time !== '' && time <= nowField(zone) && { time: 'Choose a time that is still to come' }),
  }
}

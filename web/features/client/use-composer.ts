/** State of the composer, and the three ways to save it, for one or several accounts. A failed save loses nothing. */
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Body, Post, PostGroup, Routes, SocialAccount } from '../../../api/contract/index.ts'
import { callOnce } from '../../lib/call.ts'
import { formatSoon } from '../../lib/dates.ts'
import { errorText } from '../../lib/error-text.ts'
import { useCurrentText } from '../../lib/use-current-text.ts'
import { useIdempotencyKey } from '../../lib/use-idempotency-key.ts'
import { noProblems, problemsOf, type Problems } from '../../lib/post-problems.ts'
import { schedule, toastFailure } from '../../lib/post-actions.ts'
import { afterPostChange } from '../../lib/refetch.ts'
import { useUpload } from '../../lib/use-upload.ts'
import { instantOfField } from '../../lib/wall-clock.ts'
import type { Written } from '../../lib/writing-events.ts'
import { words as postWords } from '../../ui/posts/words.ts'
import { toast } from '../../ui/toast.ts'
import { errorsOf, firstDraft, textFor, withMain, type Copied, type Draft } from './composer-draft.ts'
import { words } from './words.ts'

export type SaveAs = NonNullable<Body<Routes['writePost']>['status']>

const failed = { ...words.failed, scheduled: schedule.failed }
const saidOfOne = { ...words.saved, scheduled: schedule.done }

type Saved = { readonly post: Post } | { readonly group: PostGroup }

export type Composing = ReturnType<typeof useComposer>

interface Asked {
  readonly clientId: string
  readonly accounts: readonly SocialAccount[]
  readonly zone: string
  readonly restored: Readonly<Record<string, string>> | null
  readonly copied: Copied | null
  readonly on: string | undefined
  readonly onClose: () => void
}

export function useComposer({ clientId, accounts, zone, onClose, ...start }: Asked) {
  const [draft, setDraft] = useState<Draft>(() => firstDraft({ accounts, ...start }))
  const [written, setWritten] = useState<Written | null>(null)
  /** How often something kept the draft from being sent. */
  const [heldBack, setHeldBack] = useState(0)
  const [tried, setTried] = useState(false)
  const once = useIdempotencyKey()
  const busy = useRef(false)
  const [held, setHeld] = useState<string | null>(null)
  const errors = tried ? errorsOf(draft, zone) : {}
  const account = accounts.find(({ id }) => id === draft.accountId)
  const others = accounts.filter(({ id }) => id !== draft.accountId && draft.others.includes(id))
  const chosen = account ? [account, ...others] : others

  const save = useMutation({
    mutationFn: async (as: SaveAs): Promise<Saved> => {
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
        return { post: await callOnce('POST /api/clients/{id}/posts', once(body), { params, body }) }
      }
      const posts = chosen.map(({ id }) => ({
        socialAccountId: id,
        ...(id in draft.texts && { content: draft.texts[id] }),
      }))
      const body = { ...shared, posts }
      return { group: await callOnce('POST /api/clients/{id}/posts/group', once(body), { params, body }) }
    },
    onSuccess: (saved, as) => {
      const refused = 'group' in saved ? saved.group.results.filter(({ done }) => !done) : []
      if ('group' in saved && refused.length > 0) return keepRefused(saved.group, refused)
      onClose()
      toast(saidOf(saved, as, zone))
    },
    onError: (error, as) => {
      setHeldBack((count) => count + 1)
      toastFailure(failed[as], error)
    },
    // After a lost answer the list shows whether the post was saved.
    onSettled: () => {
      busy.current = false
      return afterPostChange()
    },
  })

  /** The written ones are done: what is left to do stays in the composer. */
  const keepRefused = ({ results }: PostGroup, refused: PostGroup['results']) => {
    const [first = '', ...rest] = refused.map(({ socialAccountId }) => socialAccountId)
    setDraft((before) => {
      // A main account that has its post keeps no text.
      const accountId = before.accountId === first ? first : null
      return withMain({ ...before, accountId, others: rest }, first)
    })
    const nameOf = (id: string) => accounts.find((each) => each.id === id)?.accountName ?? ''
    setHeld(refused.map(({ socialAccountId, sentence }) => `${nameOf(socialAccountId)}: ${sentence}`).join(' '))
    setHeldBack((count) => count + 1)
    toast({
      title: words.someSaved(results.length - refused.length, results.length),
      description: words.refusedBy(refused.map(({ socialAccountId }) => nameOf(socialAccountId)).join(', ')),
      variant: 'destructive',
    })
  }

  const refusal = useCurrentText(save.isError ? errorText(save.error) : held)
  // The refusal concerned a text that has changed since.
  const changed = () => {
    setHeld(null)
    if (save.isError) save.reset()
  }
  const change = (part: Partial<Omit<Draft, 'accountId'>>) => {
    changed()
    setDraft((before) => ({ ...before, ...part }))
  }
  const upload = useUpload(
    draft.imageUrl,
    (imageUrl, insteadOf) => {
      changed()
      setDraft((before) =>
        insteadOf === null || before.imageUrl.trim() === insteadOf ? { ...before, imageUrl } : before,
      )
    },
    chosen.map(({ platform }) => platform),
  )
  const problemsFor = ({ id, platform, network }: SocialAccount): Problems =>
    problemsOf({ ...draft, content: textFor(draft, id), platform, network, image: upload.factsOf(draft.imageUrl) })
  const problems = account ? problemsFor(account) : noProblems

  /** Why it can't be sent just now. A draft may have its flaws. */
  const holdBack = (as: SaveAs): string | null => {
    if (upload.progress !== null || upload.isConverting) return postWords.imageWaits
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
    heldBack,
    /** Why it was not sent, or what the server refused. */
    refusal,
    saving: save.isPending ? save.variables : null,
    change,
    /** Makes an account the main one. */
    choose: (accountId: string) => {
      changed()
      setDraft((before) => withMain(before, accountId))
    },
    accept: (text: Written) => {
      changed()
      setWritten(text)
      setDraft((before) => ({ ...before, content: text.content }))
    },
    save: (as: SaveAs) => {
      setTried(true)
      // A second press in the same instant comes before the button knows that it works.
      if (busy.current) return
      const isWrong = Object.keys(errorsOf(draft, zone)).length > 0
      const reason = isWrong ? null : holdBack(as)
      setHeld(reason)
      if (isWrong || reason !== null) return setHeldBack((count) => count + 1)
      busy.current = true
      save.mutate(as)
    },
  }
}

/** The outcome, with the time that the post got. */
function saidOf(saved: Saved, as: SaveAs, zone: string) {
  if ('post' in saved) {
    const { scheduledFor } = saved.post
    const detail = as === 'scheduled' && scheduledFor !== null && words.scheduledFor(formatSoon(scheduledFor, zone))
    return { ...saidOfOne[as], ...(detail && { detail }) }
  }
  const [first] = saved.group.results.flatMap(({ post }) => post?.scheduledFor ?? []).toSorted()
  const detail = as === 'scheduled' && first !== undefined && words.firstAt(formatSoon(first, zone))
  return { ...words.savedSeveral(saved.group.results.length)[as], ...(detail && { detail }) }
}

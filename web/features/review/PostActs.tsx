/** The decision on one post: to approve it, to ask for changes, or to hold it. What was typed outlasts a refusal. */
import { useMutation } from '@tanstack/react-query'
import { Check, Hand, MessageSquareText } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { ReviewedPost } from '../../../api/contract/index.ts'
import { call } from '../../lib/call.ts'
import { formatSoon } from '../../lib/dates.ts'
import { errorText, statusOf } from '../../lib/error-text.ts'
import { platformLook } from '../../lib/platforms.ts'
import { PlainButton } from '../../ui/PlainButton.tsx'
import { ServerError } from '../../ui/ServerError.tsx'
import { ActForm, type Act } from './ActForm.tsx'
import { changesOf, headingOf, isJudged, type ReviewCard } from './card.ts'
import { askedWith, keepSession } from './kept-session.ts'
import { words } from './words.ts'

interface Asked {
  readonly act: Act
  /** Null: known already. */
  readonly name: string | null
  readonly note: string
}

export function PostActs(props: ReviewCard) {
  const { token, post, agency, asksName, nextId, onChanged, onLook } = props
  const [open, setOpen] = useState<Act | null>(null)
  const [name, setName] = useState('')
  const [note, setNote] = useState('')
  const status = useRef<HTMLParagraphElement>(null)
  const takesFocus = useRef<'status' | 'changes' | null>(null)
  const judge = useMutation({
    mutationFn: async ({ act, name: said, note: words }: Asked) => {
      if (said !== null) {
        const { session } = await call('POST /api/reviews/name', { body: { ...askedWith(token), name: said } })
        keepSession(token, session)
      }
      const { id: postId, hash: seenHash, version: seenVersion } = post
      const asked = { ...askedWith(token), postId, note: words }
      return act === 'hold'
        ? call('POST /api/reviews/hold', { body: asked })
        : call('POST /api/reviews/verdict', { body: { ...asked, seenHash, seenVersion, verdict: act } })
    },
    onSuccess: (judged) => {
      takesFocus.current = 'status'
      setOpen(null)
      setNote('')
      onChanged(judged)
    },
    onError: (error) => {
      if (statusOf(error) === 409) takesFocus.current = 'changes'
    },
    // The counts, another version, or that the link is over.
    onSettled: onLook,
  })
  // The pressed button has gone, or the post above it has changed.
  useEffect(() => {
    const to = takesFocus.current === 'status' ? status.current : document.getElementById(changesOf(post.id))
    if (takesFocus.current === null || !to) return
    takesFocus.current = null
    to.focus()
  }, [post])

  const start = (act: Act) => {
    judge.reset()
    if (act === 'approve' && !asksName) return judge.mutate({ act, name: null, note: '' })
    setOpen(act)
  }
  const told = toldOf(post, agency)
  const can = (act: Act) => post.can.includes(act)
  const error = judge.isError ? errorText(judge.error) : null
  const isPending = (act: Act) => judge.isPending && judge.variables.act === act
  const named = (act: string) => `${act} ${nameOf(props)}`
  const hasActs = can('approve') || can('changes') || can('hold')
  return (
    <div className="flex flex-col gap-3 border-t border-line px-4 py-4 empty:hidden" data-testid="post-acts">
      {told !== null && (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <p ref={status} tabIndex={-1} className="wrap-anywhere outline-none" data-testid="post-told">
            {told}
          </p>
          {isJudged(post) && nextId !== null && <NextLink postId={nextId} />}
        </div>
      )}
      {open !== null ? (
        <ActForm
          act={open}
          agency={agency}
          name={asksName ? name : null}
          onName={setName}
          note={note}
          onNote={setNote}
          error={error}
          pending={judge.isPending}
          onSend={() => judge.mutate({ act: open, name: asksName ? name.trim() : null, note: note.trim() })}
          onCancel={() => {
            judge.reset()
            setOpen(null)
          }}
        />
      ) : (
        (hasActs || error !== null) && (
          <>
            <ServerError message={error} />
            <div className="grid grid-cols-2 gap-2 sm:flex sm:flex-row-reverse">
              {can('approve') && (
                <PlainButton
                  look="primary"
                  size="lg"
                  className="col-span-2 sm:flex-1"
                  pending={isPending('approve')}
                  onPress={() => start('approve')}
                  aria-label={named(isPending('approve') ? words.approving : words.approve)}
                  data-testid="button-approve"
                >
                  {!isPending('approve') && <Check aria-hidden />}
                  {isPending('approve') ? words.approving : words.approve}
                </PlainButton>
              )}
              {can('changes') && (
                <PlainButton
                  size="lg"
                  className={`px-2! text-base! sm:flex-1 ${can('hold') ? '' : 'col-span-2'}`}
                  onPress={() => start('changes')}
                  aria-label={named(words.changesTo)}
                  data-testid="button-changes"
                >
                  <MessageSquareText aria-hidden />
                  {words.changes}
                </PlainButton>
              )}
              {can('hold') && (
                <PlainButton
                  size="lg"
                  className={`px-2! text-base! sm:flex-1 ${can('changes') ? '' : 'col-span-2'}`}
                  onPress={() => start('hold')}
                  aria-label={named(words.hold)}
                  data-testid="button-hold"
                >
                  <Hand aria-hidden />
                  {words.hold}
                </PlainButton>
              )}
            </div>
          </>
        )
      )}
    </div>
  )
}

/** Tells the buttons of one post from those of the others, for people who hear them out of their card. */
function nameOf({ post: { platform, scheduledFor }, position, total, zone }: ReviewCard): string {
  const time = scheduledFor === null ? null : formatSoon(scheduledFor, zone)
  return words.ofPost(position, total, platformLook[platform].title, time)
}

function toldOf(post: ReviewedPost, agency: string): string | null {
  const { verdict, held, status, version, isStep, isStepAhead } = post
  if (held !== null) return verdict?.verdict === 'hold' ? words.didHold(agency) : words.isHeld(agency)
  if (verdict === null || status === 'published') return null
  if (!isJudged(post)) {
    const isEarly = isStep && verdict.verdict === 'approve' && verdict.version === version
    return isEarly ? words.didApproveEarly : words.didJudgeEarlier
  }
  if (verdict.verdict === 'changes') return words.didAsk
  if (verdict.verdict === 'hold') return null
  if (status !== 'pending') return words.didApprove
  return `${words.didApprove} ${isStepAhead ? words.agencyFirst : words.willSchedule}`
}

const NextLink = ({ postId }: { readonly postId: string }) => (
  <PlainButton
    look="link"
    size="inline"
    className="min-h-8 underline"
    onPress={() => {
      const heading = document.getElementById(headingOf(postId))
      heading?.focus({ preventScroll: true })
      heading?.closest('article')?.scrollIntoView({ block: 'start' })
    }}
    data-testid="button-next-post"
  >
    {words.next}
  </PlainButton>
)

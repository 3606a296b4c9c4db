/** The post's text, to be changed as the reviewer would have it. What was typed outlasts a refusal. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState, type FormEvent } from 'react'
import { hasVisible } from '../../../api/contract/limits.ts'
import { callForProblem } from '../../lib/call.ts'
import { errorText } from '../../lib/error-text.ts'
import { focusFirstError } from '../../lib/focus-error.ts'
import { problemIn } from '../../lib/problem-in.ts'
import { useContentId } from '../../lib/use-content-id.ts'
import { PlainButton } from '../../ui/PlainButton.tsx'
import { Difference } from '../../ui/posts/Difference.tsx'
import { ServerError } from '../../ui/ServerError.tsx'
import { TextField } from '../../ui/TextField.tsx'
import type { ReviewCard } from './card.ts'
import { showReviewComment } from './comments-query.ts'
import { askedWith } from './kept-session.ts'
import { useReviewerName } from './use-reviewer-name.tsx'
import { words } from './words.ts'

interface Props extends ReviewCard {
  readonly onDone: (isSent: boolean) => void
}

/** The text that the suggestion is for. */
interface Base {
  readonly content: string
  readonly textHash: string
}

export default function SuggestChange({ onDone, ...card }: Props) {
  const { token, post, agency, onLook } = card
  const queries = useQueryClient()
  const form = useRef<HTMLFormElement>(null)
  const named = useReviewerName(card)
  const [base, setBase] = useState<Base>(post)
  const [hasChanged, setChanged] = useState(false)
  const [text, setText] = useState(post.content)
  const [why, setWhy] = useState('')
  const [showsErrors, setShowsErrors] = useState(false)
  const commentId = useContentId()
  const send = useMutation({
    mutationFn: async () => {
      await named.tell()
      const suggestion = { text, contentHash: base.textHash }
      const content = { suggestion, ...(hasVisible(why) && { text: why }) }
      return callForProblem('POST /api/reviews/comment', {
        body: { ...askedWith(token), postId: post.id, commentId: commentId.of(content), ...content },
      })
    },
    onSuccess: (comment) => {
      showReviewComment(queries, token, post.id, comment)
      onDone(true)
    },
    onError: (error) => {
      const current = currentIn(error)
      if (current === null) return
      setBase(current)
      setChanged(true)
    },
    onSettled: onLook,
  })
  const textError = !hasVisible(text) ? words.noText : text === base.content ? words.sameText : undefined
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    setShowsErrors(true)
    if (named.isWrong || textError !== undefined) return void requestAnimationFrame(() => focusFirstError(form.current))
    if (!send.isPending) send.mutate()
  }
  const error = send.isError ? errorText(problemIn(send.error)?.asError ?? send.error) : null
  return (
    <form
      ref={form}
      onSubmit={onSubmit}
      noValidate
      className="flex min-w-0 flex-col gap-3 pb-3"
      data-testid="suggest-form"
    >
      <p className="wrap-anywhere text-quiet">{words.suggestText(agency)}</p>
      {named.field(showsErrors)}
      <TextField
        label={words.yourText}
        value={text}
        onChange={setText}
        rows={6}
        focusFirst
        error={showsErrors ? textError : undefined}
      />
      {hasChanged && (
        <div data-testid="text-is-now">
          <output className="text-sm">{words.textIsNow}</output>
          <Difference before={base.content} after={text} />
        </div>
      )}
      <TextField label={words.whyChange} value={why} onChange={setWhy} rows={2} />
      <ServerError message={error} />
      <div className="flex gap-2">
        <PlainButton size="lg" onPress={() => onDone(false)} disabled={send.isPending}>
          {words.cancel}
        </PlainButton>
        <PlainButton
          look="primary"
          size="lg"
          type="submit"
          className="px-3! text-base!"
          pending={send.isPending}
          data-testid="button-send-suggestion"
        >
          {send.isPending ? words.sendingNote : words.sendSuggestion}
        </PlainButton>
      </div>
    </form>
  )
}

/** The text of now, of a refusal because it has changed. */
function currentIn(error: unknown): Base | null {
  if (!(error instanceof Error) || problemIn(error) === null) return null
  const { current } = JSON.parse(error.message.slice('409: '.length)) as { readonly current?: Base }
  return current ?? null
}

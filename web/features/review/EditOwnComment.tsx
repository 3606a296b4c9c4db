/** The words of an own comment, to be changed. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState, type FormEvent } from 'react'
import type { ReviewComment } from '../../../api/contract/index.ts'
import { hasVisible } from '../../../api/contract/limits.ts'
import { call } from '../../lib/call.ts'
import { errorText } from '../../lib/error-text.ts'
import { focusFirstError } from '../../lib/focus-error.ts'
import { PlainButton } from '../../ui/PlainButton.tsx'
import { ServerError } from '../../ui/ServerError.tsx'
import { TextField } from '../../ui/TextField.tsx'
import type { ReviewCard } from './card.ts'
import { showReviewComment } from './comments-query.ts'
import { askedWith } from './kept-session.ts'
import { words } from './words.ts'

interface Props {
  readonly card: ReviewCard
  readonly comment: ReviewComment
  readonly onDone: () => void
}

export function EditOwnComment({ card: { token, post, onLook }, comment, onDone }: Props) {
  const queries = useQueryClient()
  const form = useRef<HTMLFormElement>(null)
  const [text, setText] = useState(comment.text ?? '')
  const [showsErrors, setShowsErrors] = useState(false)
  const save = useMutation({
    mutationFn: () =>
      call('POST /api/reviews/comment/edit', {
        body: { ...askedWith(token), postId: post.id, commentId: comment.id, text },
      }),
    onSuccess: (edited) => {
      showReviewComment(queries, token, post.id, edited)
      onDone()
    },
    onSettled: onLook,
  })
  const error = hasVisible(text) ? undefined : words.commentMissing
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    setShowsErrors(true)
    if (error !== undefined) return void requestAnimationFrame(() => focusFirstError(form.current))
    if (!save.isPending) save.mutate()
  }
  return (
    <form ref={form} onSubmit={onSubmit} noValidate className="flex min-w-0 flex-col gap-3">
      <TextField
        label={words.editLabel}
        value={text}
        onChange={setText}
        rows={3}
        focusFirst
        error={showsErrors ? error : undefined}
      />
      <ServerError message={save.isError ? errorText(save.error) : null} />
      <div className="flex gap-2">
        <PlainButton onPress={onDone} disabled={save.isPending}>
          {words.cancel}
        </PlainButton>
        <PlainButton look="primary" type="submit" pending={save.isPending} data-testid="button-save-own">
          {save.isPending ? words.saving : words.save}
        </PlainButton>
      </div>
    </form>
  )
}

/** A comment to the agency, about the post, a range of its text or a point of its image; or a reply. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useRef, useState, type FormEvent } from 'react'
import type { ReviewComment } from '../../../api/contract/index.ts'
import { hasVisible } from '../../../api/contract/limits.ts'
import { call } from '../../lib/call.ts'
import { errorText, statusOf } from '../../lib/error-text.ts'
import { focusFirstError } from '../../lib/focus-error.ts'
import { useContentId } from '../../lib/use-content-id.ts'
import { ChoosePlace } from '../../ui/comments/ChoosePlace.tsx'
import { quoteOf, type Place } from '../../ui/comments/place.ts'
import { PlainButton } from '../../ui/PlainButton.tsx'
import { ServerError } from '../../ui/ServerError.tsx'
import { TextField } from '../../ui/TextField.tsx'
import type { ReviewCard } from './card.ts'
import { showReviewComment } from './comments-query.ts'
import { askedWith } from './kept-session.ts'
import { useReviewerName } from './use-reviewer-name.tsx'
import { words } from './words.ts'

interface Props extends ReviewCard {
  readonly label: string
  readonly parentId: string | null
  /** Absent in a reply: it is about what its thread is about. */
  readonly places?: Places
  /** Of a reply, whose form then closes. */
  readonly onDone?: () => void
}

interface Places {
  readonly comments: readonly ReviewComment[]
  readonly isChoosing: boolean
  readonly onChoosing: (isChoosing: boolean) => void
}

export function WriteComment({ label, parentId, places, onDone, ...card }: Props) {
  const { token, post, onLook } = card
  const queries = useQueryClient()
  const form = useRef<HTMLFormElement>(null)
  const named = useReviewerName(card)
  const [text, setText] = useState('')
  const [place, setPlace] = useState<(Place & { readonly quote: string }) | null>(null)
  const [showsErrors, setShowsErrors] = useState(false)
  const commentId = useContentId()
  const send = useMutation({
    mutationFn: async () => {
      await named.tell()
      const { quote: _, ...anchor } = place ?? { quote: '' }
      const content = { parentId, text, ...('kind' in anchor && { anchor }) }
      return call('POST /api/reviews/comment', {
        body: { ...askedWith(token), postId: post.id, commentId: commentId.of(content), ...content },
      })
    },
    onSuccess: (comment) => {
      showReviewComment(queries, token, post.id, comment)
      setText('')
      setPlace(null)
      places?.onChoosing(false)
      setShowsErrors(false)
      commentId.renew()
      onDone?.()
    },
    // What was chosen may be of a version that is no more. The words stay.
    onError: (error) => {
      if (statusOf(error) === 409) setPlace(null)
    },
    // The name that is known now, or that the link is over.
    onSettled: onLook,
  })
  const textError = hasVisible(text) ? undefined : words.commentMissing
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    setShowsErrors(true)
    if (named.isWrong || textError !== undefined) return void requestAnimationFrame(() => focusFirstError(form.current))
    if (!send.isPending) send.mutate()
  }
  const choose = (chosen: Place) =>
    setPlace({ ...chosen, quote: chosen.kind === 'range' ? quoteOf(post.content, chosen) : '' })
  return (
    <form ref={form} onSubmit={onSubmit} noValidate className="flex min-w-0 flex-col gap-3">
      {named.field(showsErrors)}
      <TextField
        label={label}
        value={text}
        onChange={setText}
        rows={3}
        focusFirst={parentId !== null}
        error={showsErrors ? textError : undefined}
      />
      {place && (
        <p className="flex min-w-0 items-center gap-1 text-sm" data-testid="comment-place">
          <span dir="auto" className="min-w-0 wrap-anywhere">
            {place.kind === 'range' ? words.about(place.quote) : words.aboutAPoint}
          </span>
          <PlainButton look="quiet" size="icon" aria-label={words.wholePost} onPress={() => setPlace(null)}>
            <X aria-hidden />
          </PlainButton>
        </p>
      )}
      {places?.isChoosing && (
        <ChoosePlace of={{ ...post, comments: places.comments }} place={place} onChoose={choose} />
      )}
      <ServerError message={send.isError ? errorText(send.error) : null} />
      <div className="flex flex-wrap gap-2">
        {onDone && (
          <PlainButton size="lg" onPress={onDone} disabled={send.isPending}>
            {words.cancel}
          </PlainButton>
        )}
        <PlainButton size="lg" type="submit" pending={send.isPending} data-testid="button-send-comment">
          {send.isPending ? words.sendingNote : words.send}
        </PlainButton>
        {places && (
          <PlainButton
            look="quiet"
            size="lg"
            className="px-2! text-base!"
            aria-expanded={places.isChoosing}
            onPress={() => places.onChoosing(!places.isChoosing)}
            data-testid="button-choose-place"
          >
            {places.isChoosing ? words.hidePlaces : words.choosePlace}
          </PlainButton>
        )}
      </div>
    </form>
  )
}

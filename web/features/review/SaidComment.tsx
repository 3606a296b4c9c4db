/** One comment on the page of a review: what it is about, its words, and what its author may do with it. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { ReviewComment } from '../../../api/contract/index.ts'
import { call } from '../../lib/call.ts'
import { formatDateTime } from '../../lib/dates.ts'
import { errorText } from '../../lib/error-text.ts'
import { pointsIn } from '../../ui/comments/place.ts'
import { PlainButton } from '../../ui/PlainButton.tsx'
import { Difference, PlainText } from '../../ui/posts/Difference.tsx'
import { ServerError } from '../../ui/ServerError.tsx'
import type { ReviewCard } from './card.ts'
import { showRemoved } from './comments-query.ts'
import { EditOwnComment } from './EditOwnComment.tsx'
import { askedWith } from './kept-session.ts'
import { words } from './words.ts'

interface Props {
  readonly card: ReviewCard
  readonly comment: ReviewComment
  readonly all: readonly ReviewComment[]
}

export function SaidComment({ card, comment, all }: Props) {
  const [act, setAct] = useState<'edit' | 'remove' | null>(null)
  const { author, isYours, at, edited, state, text, suggestion } = comment
  const about = aboutOf(comment, all)
  const article = useRef<HTMLElement>(null)
  const done = () => {
    setAct(null)
    article.current?.focus({ preventScroll: true })
  }
  return (
    <article
      ref={article}
      tabIndex={-1}
      className="flex min-w-0 flex-col gap-1 outline-none"
      data-testid="review-comment"
      data-state={state}
    >
      <p className="flex flex-wrap items-baseline gap-x-2">
        <strong dir="auto" className="min-w-0 font-semibold wrap-anywhere">
          {isYours ? words.you : author.name}
        </strong>
        <span className="tabular text-sm text-quiet">
          {formatDateTime(at, card.zone)}
          {edited && ` · ${words.edited}`}
        </span>
      </p>
      {about !== null && (
        <p
          dir="auto"
          className="border-l-2 border-n6 pl-2 text-sm wrap-anywhere text-quiet"
          data-testid="comment-about"
        >
          {about}
        </p>
      )}
      {act === 'edit' ? (
        <EditOwnComment card={card} comment={comment} onDone={done} />
      ) : (
        text !== '' && (
          <p dir="auto" className={`prose-post ${text === null ? 'text-quiet italic' : ''}`}>
            {text ?? (state === 'removed' ? words.removed : words.erased)}
          </p>
        )
      )}
      {suggestion && (
        <div data-testid="review-suggestion" data-state={suggestion.state}>
          <p className="text-sm font-medium">
            {words.suggested}
            <span className="font-normal text-quiet">{` · ${words.suggestion[suggestion.state]}`}</span>
          </p>
          {suggestion.state === 'open' ? (
            <Difference before={card.post.content} after={suggestion.text} />
          ) : (
            <PlainText>{suggestion.text}</PlainText>
          )}
        </div>
      )}
      {isYours && state === 'shown' && act === null && (
        <div className="flex flex-wrap gap-4">
          {text !== '' && (
            <PlainButton
              look="link"
              size="inline"
              className="min-h-8 text-sm!"
              aria-label={words.editYours(shortened(text ?? ''))}
              onPress={() => setAct('edit')}
            >
              {words.edit}
            </PlainButton>
          )}
          <PlainButton
            look="link"
            size="inline"
            className="min-h-8 text-sm!"
            aria-label={words.removeYours(shortened(text || (suggestion?.text ?? '')))}
            onPress={() => setAct('remove')}
          >
            {words.remove}
          </PlainButton>
        </div>
      )}
      {act === 'remove' && <Removal card={card} comment={comment} onDone={done} />}
    </article>
  )
}

const maxInLabel = 40
const shortened = (text: string) => (text.length > maxInLabel ? `${text.slice(0, maxInLabel).toWellFormed()}…` : text)

function aboutOf(comment: ReviewComment, all: readonly ReviewComment[]): string | null {
  const { id, anchor, quote, isEarlierVersion } = comment
  if (anchor === null) return null
  if (anchor.kind === 'range') return isEarlierVersion ? words.aboutEarlier(quote ?? '') : words.about(quote ?? '')
  return isEarlierVersion
    ? words.aboutEarlierImage
    : words.aboutPoint(pointsIn(all).findIndex((point) => point.id === id) + 1)
}

interface RemovalProps extends Pick<Props, 'card' | 'comment'> {
  readonly onDone: () => void
}

function Removal({ card: { token, post, onLook }, comment, onDone }: RemovalProps) {
  const queries = useQueryClient()
  const keep = useRef<HTMLButtonElement>(null)
  // The pressed button has gone.
  useEffect(() => keep.current?.focus(), [])
  const remove = useMutation({
    mutationFn: () =>
      call('POST /api/reviews/comment/remove', {
        body: { ...askedWith(token), postId: post.id, commentId: comment.id },
      }),
    onSuccess: () => {
      onDone()
      showRemoved(queries, token, post.id, comment)
    },
    onSettled: onLook,
  })
  return (
    <fieldset className="mt-2">
      <legend className="pb-2">{words.removeQuestion}</legend>
      <ServerError message={remove.isError ? errorText(remove.error) : null} />
      <div className="flex gap-2">
        <PlainButton ref={keep} onPress={onDone} disabled={remove.isPending}>
          {words.keep}
        </PlainButton>
        <PlainButton
          look="danger"
          pending={remove.isPending}
          onPress={() => remove.mutate()}
          data-testid="button-remove-own"
        >
          {remove.isPending ? words.removing : words.remove}
        </PlainButton>
      </div>
    </fieldset>
  )
}
